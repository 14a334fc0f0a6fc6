package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Case 24: errors whose text the database cannot store, or should not. */
class ErrorTextTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);

  /** What a handler says. */
  enum Text {
    NUL("a\0b", "a\uFFFDb"),
    LONE_SURROGATE("a\uD800b", "a\uFFFDb"),
    FIVE_MEGABYTES("x".repeat(5_000_000), "characters)");

    private final String said;
    private final String kept;

    Text(String said, String kept) {
      this.said = said;
      this.kept = kept;
    }
  }

  @BeforeEach
  void oneMessage() {
    DB.clear();
    rows.add("one");
  }

  private static RelayOptions twice() {
    return RelayOptions.defaults().withAttemptBudget(2).withBackoff(Backoff.fixed(Duration.ZERO));
  }

  private void assertKept(Text text) {
    String error = String.valueOf(rows.of("one").getLastError());
    assertThat(error).contains(text.kept).hasSizeLessThan(2_100);
    if (text == Text.FIVE_MEGABYTES) {
      assertThat(error).containsPattern("\\(cut: 50\\d{5} characters\\)");
    }
  }

  @ParameterizedTest
  @EnumSource(Text.class)
  void error_isRecordedAsFarAsItCanBe_thenDead(Text text) {
    try (LogLines log = LogLines.of("dev.fencedoutbox.engine.Recorder", Level.ERROR);
        SteppedRelay relay =
            Relay.from(DB.pool())
                .options(twice())
                .on(
                    PLAIN,
                    (payload, attempt) -> {
                      throw new IllegalStateException(text.said);
                    })
                .stepByStep()) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      assertThat(relay.record()).isTrue();
      assertThat(rows.standing("one")).isEqualTo("READY 1");
      assertKept(text);
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
      assertThat(log.messages())
          .singleElement()
          .satisfies(m -> assertThat(m).hasSizeLessThan(2_500));
    }
    assertThat(rows.standing("one")).isEqualTo("DEAD 2");
    assertKept(text);
  }

  @ParameterizedTest
  @EnumSource(Text.class)
  void reason_ofABurial_isRecordedAsFarAsItCanBe(Text text) {
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .options(twice())
            .onDeciding(PLAIN, (payload, attempt) -> DeliveryOutcome.bury(text.said))
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
    assertThat(rows.standing("one")).isEqualTo("DEAD 1");
    assertKept(text);
  }
}

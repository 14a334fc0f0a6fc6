package dev.fencedoutbox.it.operate;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fencedoutbox.operate.DeadLetterPage;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.InboxWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Replay;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.operate.SentSelection;
import dev.fencedoutbox.operate.Signals;
import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused before anything is sent. */
class BadInputTest {

  private static final OffsetDateTime NOON = OffsetDateTime.parse("2026-01-01T12:00:00Z");
  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);

  static Stream<Arguments> refused() {
    Map<String, Supplier<?>> calls =
        Map.ofEntries(
            refusal("who must", () -> new Operator("", "why")),
            refusal("who must have", () -> new Operator("w".repeat(256), "why")),
            refusal("why must have 1 to 2,000 characters and has 0", () -> new Operator("w", "")),
            refusal("and has 2,001", () -> new Operator("w", "y".repeat(2_001))),
            refusal("why has U+0000", () -> new Operator("w", "\u0000")),
            refusal("A delivery's id", () -> Selection.delivery(0)),
            refusal("A topic's name", () -> Selection.topic("")),
            refusal("upTo must be 1 to 10,000 and is 0", () -> Selection.all().upTo(0)),
            refusal("and is 10,001", () -> Selection.all().upTo(10_001)),
            refusal("A page's limit", () -> DeadLetterPage.oldestFirst(0)),
            refusal("spreadOver", () -> DEAD.spreadOver(Duration.ofNanos(-1))),
            refusal(
                "spreadOver must",
                () -> Replay.on(Channel.DEFAULT).spreadOver(Duration.ofDays(366))),
            refusal("is empty or outside", () -> SentSelection.topic("t", NOON, NOON)),
            refusal(
                "outside the years 1 to 9999",
                () -> SentSelection.topic("t", OffsetDateTime.MIN, NOON)),
            refusal(
                "upTo must be 1 to 1,000 and is 1,001",
                () -> SentSelection.topic("t", NOON, NOON.plusDays(1)).upTo(1_001)),
            refusal("age must", () -> Retention.olderThan(Duration.ofNanos(-1))),
            refusal("age must be", () -> Retention.olderThan(Duration.ofDays(36_501))),
            refusal("after must be 0", () -> new IdWalk(-1, 1)),
            refusal("limit must be 1 to 10,000 and is 0", () -> IdWalk.of(0)),
            refusal("A consumer's name", () -> new InboxWalk("", "e", 1)),
            refusal("An event id", () -> new InboxWalk("c", "", 1)),
            refusal("countingUpTo", () -> Signals.of(Channel.DEFAULT).countingUpTo(0)));
    return calls.entrySet().stream().map(e -> Arguments.arguments(e.getKey(), e.getValue()));
  }

  private static Map.Entry<String, Supplier<?>> refusal(String message, Supplier<?> call) {
    return Map.entry(message, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refused(String message, Supplier<?> call) {
    assertThatIllegalArgumentException()
        .isThrownBy(call::get)
        .withMessageContaining(message)
        .withMessageEndingWith("Nothing was sent.");
  }

  @Test
  void replay_withoutAnEventId_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Replay.on(Channel.DEFAULT)
                    .replay(DSL.using(SQLDialect.POSTGRES), "", new Operator("w", "y")))
        .withMessageStartingWith("An event id must");
  }

  @Test
  void bounds_themselves_areAccepted() {
    List<Object> accepted =
        List.of(
            new Operator("w".repeat(255), "y".repeat(2_000)),
            Selection.all().upTo(10_000),
            Retention.olderThan(Duration.ofDays(36_500)),
            DEAD.spreadOver(Duration.ofDays(365)),
            SentSelection.topic("t", NOON, NOON.plusNanos(1)).upTo(1_000));
    org.assertj.core.api.Assertions.assertThat(accepted).hasSize(5);
  }
}

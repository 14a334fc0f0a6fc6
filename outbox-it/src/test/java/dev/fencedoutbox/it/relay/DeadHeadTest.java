package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.DeadHeadPolicy;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a DEAD head does to its key, buried by a handler, by its budget or by a claim. */
class DeadHeadTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final List<String> called = new ArrayList<>();

  /** How the head dies. */
  enum Death {
    BY_ITS_HANDLER,
    BY_ITS_BUDGET,
    BY_A_CLAIM
  }

  @BeforeEach
  void oneKey() {
    DB.clear();
    rows.addUnder("k", "k1", "k2", "k3");
    rows.addUnder("l", "l1");
  }

  private void run(Death death, DeadHeadPolicy policy) {
    RelayOptions options =
        RelayOptions.defaults()
            .withDeadHead(policy)
            .withAttemptBudget(1)
            .withBackoff(Backoff.fixed(Duration.ZERO));
    RelayBuilder builder =
        Relay.from(DB.pool())
            .options(options)
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  called.add(attempt.eventId());
                  if (!attempt.eventId().equals("k1")) {
                    return DeliveryOutcome.delivered();
                  }
                  return death == Death.BY_ITS_HANDLER
                      ? DeliveryOutcome.bury("hopeless")
                      : DeliveryOutcome.retry("no luck");
                });
    if (death == Death.BY_A_CLAIM) {
      @SuppressWarnings("resource") // it dies with the head in hand
      SteppedRelay dies =
          Relay.from(DB.pool())
              .options(options.withRunLength(1).withClaimBatch(1))
              .on(PLAIN, (payload, attempt) -> {})
              .stepByStep();
      assertThat(dies.claim()).isEqualTo(1);
      rows.expire("k1");
    }
    try (SteppedRelay relay = builder.stepByStep()) {
      for (int round = 0; round < 4; round++) {
        relay.runUntilEmpty(); // a claim that only buries brings nothing
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void deadHead_blocksItsKey_andNoOther(Death death) {
    run(death, DeadHeadPolicy.BLOCK);
    assertThat(rows.left()).containsExactly("k1", "k2", "k3");
    assertThat(rows.standing("k1")).isEqualTo("DEAD 1");
    assertThat(rows.standing("k2")).isEqualTo("READY 0");
    assertThat(rows.of("k1").getOrderingKey()).isEqualTo("k");
    assertThat(called).doesNotContain("k2", "k3").contains("l1");
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void deadHead_thatIsSkipped_leavesItsKeyAndTheOthersGoOnInOrder(Death death) {
    run(death, DeadHeadPolicy.SKIP);
    assertThat(rows.left()).containsExactly("k1");
    assertThat(rows.standing("k1")).isEqualTo("DEAD 1");
    assertThat(rows.of("k1").getOrderingKey()).isNull();
    assertThat(called.stream().filter(id -> id.startsWith("k") && !id.equals("k1")))
        .containsExactly("k2", "k3");
  }

  @Test
  void redrivenHead_goesFirst() {
    run(Death.BY_ITS_HANDLER, DeadHeadPolicy.BLOCK);
    called.clear();
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.delivery set status = 'READY', attempts = 0, next_attempt_at ="
                        + " clock_timestamp() where status = 'DEAD'"))
        .isEqualTo(1);
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .on(PLAIN, (payload, attempt) -> called.add(attempt.eventId()))
            .stepByStep()) {
      relay.runUntilEmpty();
    }
    assertThat(called).containsExactly("k1", "k2", "k3");
    assertThat(rows.left()).isEmpty();
  }
}

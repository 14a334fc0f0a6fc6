package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a claim from the floor passes over, and when a sweep finds it. */
class SweepTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration SWEEP = Duration.ofSeconds(7);

  private long nanos;
  private final List<String> delivered = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void messageCommittedLate_isFoundByTheNextSweep() {
    try (SteppedRelay relay = relay()) {
      reachNow(relay);
      enqueue(DB.dsl(), message("late"));
      due("late", "1 minute");

      assertThat(relay.runUntilEmpty()).isZero();
      nanos += SWEEP.toNanos();
      relay.runUntilEmpty();

      assertThat(delivered).contains("late");
    }
  }

  @Test
  void messageCommittedALittleLate_isFoundByTheNextClaim() {
    try (SteppedRelay relay = relay()) {
      reachNow(relay);
      enqueue(DB.dsl(), message("late"));
      due("late", "500 milliseconds");

      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
  }

  @Test
  void leaseOfADeadWorker_isFoundByTheNextSweep() {
    enqueue(DB.dsl(), message("stranded"));
    due("stranded", "1 minute");
    try (SteppedRelay dead = relay();
        SteppedRelay relay = relay()) {
      assertThat(dead.claim()).isEqualTo(1);
      reachNow(relay);
      Attempt stranded = dead.waiting().get(0);
      expireDelivery(DB.dsl(), stranded.lease().key());

      assertThat(relay.runUntilEmpty()).isZero();
      nanos += SWEEP.toNanos();

      assertThat(relay.runUntilEmpty()).isEqualTo(1);
      assertThat(relay.counters().reclaimed()).isEqualTo(1);
    }
  }

  @Test
  void fullSweep_goesOnFromWhereItEnded() {
    try (SteppedRelay relay = relay()) {
      reachNow(relay);
      enqueue(
          DB.dsl(),
          IntStream.range(0, 25).mapToObj(i -> message("late" + i)).toArray(Message[]::new));
      DB.dsl()
          .execute(
              "update outbox.delivery set next_attempt_at = clock_timestamp() - interval '1 hour'");

      nanos += SWEEP.toNanos();

      assertThat(relay.runUntilEmpty()).isEqualTo(25);
    }
  }

  /** Delivers a message that is due now, so that the floor stands here. */
  private void reachNow(SteppedRelay relay) {
    enqueue(DB.dsl(), message("now"));
    assertThat(relay.runUntilEmpty()).isEqualTo(1);
  }

  private static void due(String eventId, String ago) {
    DB.dsl()
        .execute(
            "update outbox.delivery d set next_attempt_at = clock_timestamp() - ?::interval"
                + " from outbox.message m where m.id = d.message_id and m.event_id = ?",
            ago,
            eventId);
  }

  private SteppedRelay relay() {
    return Relay.from(DB.pool())
        .nanoClock(() -> nanos)
        .options(
            RelayOptions.defaults()
                .withClaimBatch(10)
                .withPacing(Pacing.defaults().withSweepEvery(SWEEP)))
        .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
        .stepByStep();
  }
}

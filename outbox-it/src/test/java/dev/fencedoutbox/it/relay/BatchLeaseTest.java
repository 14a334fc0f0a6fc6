package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Received;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch goes on for those of its deliveries that are still held. */
class BatchLeaseTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration LEASE = Duration.ofSeconds(100);

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private final List<Boolean> interrupted = new ArrayList<>();

  @BeforeEach
  void twoMessages() {
    DB.clear();
    rows.add("one", "two");
  }

  /** Takes over what a batch holds, one after the other, while its handler is at work. */
  private SteppedRelay losing(String... eventIds) {
    List<SteppedRelay> self = new ArrayList<>();
    self.add(
        Relay.from(DB.pool())
            .nanoClock(clock)
            .options(RelayOptions.defaults().withLeaseFor(LEASE))
            .onBatch(
                PLAIN,
                10,
                batch -> {
                  for (String eventId : eventIds) {
                    rows.takeOver(eventId);
                    clock.pass(LEASE.dividedBy(2));
                    assertThat(self.get(0).renew()).isTrue();
                    assertThat(held(batch, eventId)).isFalse();
                    interrupted.add(Thread.currentThread().isInterrupted());
                  }
                  return batch.stream().map(one -> DeliveryOutcome.delivered()).toList();
                })
            .stepByStep());
    return self.get(0);
  }

  private static boolean held(List<Received<JSONB>> batch, String eventId) {
    return batch.stream()
        .filter(one -> one.attempt().eventId().equals(eventId))
        .allMatch(one -> one.attempt().isHeld());
  }

  @Test
  void batch_thatLosesOneLease_goesOn_andOnlyThatOutcomeIsDropped() {
    try (SteppedRelay relay = losing("one")) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      relay.record();
      assertThat(relay.counters().lost()).isEqualTo(1);
      assertThat(relay.counters().refused()).isZero();
      assertThat(relay.counters().recording()).isZero();
    }
    assertThat(interrupted).containsExactly(false);
    assertThat(rows.delivered()).containsExactly("two");
    assertThat(rows.of("one").getLeaseOwner()).isEqualTo("another");
  }

  @Test
  void batch_thatLosesAllLeases_isInterrupted() {
    try (SteppedRelay relay = losing("one", "two")) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      relay.record();
      assertThat(relay.counters().lost()).isEqualTo(2);
    }
    assertThat(interrupted).containsExactly(false, true);
    assertThat(rows.delivered()).isEmpty();
  }
}

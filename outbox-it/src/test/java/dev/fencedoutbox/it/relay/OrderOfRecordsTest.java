package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.DeadHeadPolicy;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was delivered of a key is recorded from its first on, or not at all. */
class OrderOfRecordsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final RelayOptions OPTIONS =
      RelayOptions.defaults()
          .withLeaseFor(Duration.ofSeconds(4))
          .withBackoff(Backoff.fixed(Duration.ofHours(1)));

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private final List<String> called = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private SteppedRelay relay(RelayOptions options, Map<String, DeliveryOutcome> outcomes) {
    return Relay.from(DB.pool())
        .nanoClock(clock)
        .options(options)
        .onDeciding(
            PLAIN,
            (payload, attempt) -> {
              called.add(attempt.eventId());
              return outcomes.getOrDefault(attempt.eventId(), DeliveryOutcome.delivered());
            })
        .stepByStep();
  }

  private SteppedRelay relay() {
    return relay(OPTIONS, Map.of());
  }

  @Test
  void record_whoseMiddleRowIsRefused_completesOnlyThePrefix() {
    rows.addUnder("k", "k1", "k2", "k3");
    try (SteppedRelay relay = relay()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      rows.expire("k2");
      relay.record();
      assertThat(rows.delivered()).containsExactly("k1");
      assertThat(rows.standing("k3")).isEqualTo("READY 0");
      assertThat(relay.counters().refused()).isEqualTo(1);
      relay.runUntilEmpty();
    }
    assertThat(called).containsExactly("k1", "k2", "k3", "k2", "k3");
    assertThat(rows.delivered()).containsExactly("k1", "k2", "k3");
  }

  @Test
  void record_whoseMiddleRowIsLockedPastItsLease_completesOnlyThePrefix() throws SQLException {
    rows.addUnder("k", "k1", "k2", "k3");
    try (SteppedRelay relay = relay();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      other.setAutoCommit(false);
      TestDatabase.on(other)
          .fetch("select 1 from outbox.delivery where id = ? for update", rows.of("k2").getId());
      assertThat(relay.record()).isFalse();
      assertThat(rows.left()).containsExactly("k2", "k3");
      other.rollback();
      rows.expire("k2");
      relay.record();
      assertThat(rows.left()).containsExactly("k2", "k3");
      assertThat(rows.standing("k3")).isEqualTo("READY 0");
    }
  }

  @Test
  void record_afterALockWasLifted_completesTheRestWithoutDeliveringAgain() throws SQLException {
    rows.addUnder("k", "k1", "k2", "k3");
    try (SteppedRelay relay = relay();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      other.setAutoCommit(false);
      TestDatabase.on(other)
          .fetch("select 1 from outbox.delivery where id = ? for update", rows.of("k1").getId());
      assertThat(relay.record()).isFalse();
      assertThat(rows.left()).containsExactly("k1", "k2", "k3");
      other.rollback();
      assertThat(relay.record()).isTrue();
    }
    assertThat(rows.delivered()).containsExactly("k1", "k2", "k3");
    assertThat(called).containsExactly("k1", "k2", "k3");
  }

  @Test
  void record_whoseFirstRowCannotBeWritten_handsTheLaterOnesBack() {
    rows.addUnder("k", "k1", "k2");
    rows.forbidDeletionOf("k1");
    try (SteppedRelay relay = relay()) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      assertThat(relay.record()).isFalse();
      assertThat(rows.standing("k2")).isEqualTo("INPROGRESS 1");
      clock.pass(Duration.ofSeconds(2));
      assertThat(relay.renew()).isTrue();
      clock.pass(Duration.ofSeconds(2));
      assertThat(relay.record()).as("k1 is left to its lease").isFalse();
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().abandoned()).as("k2 as well").isEqualTo(2);
      assertThat(relay.counters().released()).isZero();
      assertThat(rows.left()).containsExactly("k1", "k2");
      assertThat(rows.standing("k2")).isEqualTo("READY 0");
    } finally {
      rows.allow();
    }
  }

  @Test
  void record_besideARunThatWasRefused_keepsWhatAnotherRunDeliveredBeforeItFailed() {
    rows.addUnder("a", "a1", "a2");
    rows.addUnder("b", "b1", "b2");
    try (SteppedRelay relay = relay(OPTIONS, Map.of("a2", DeliveryOutcome.retry("no luck")))) {
      assertThat(relay.claim()).isEqualTo(4);
      relay.deliver();
      rows.expire("b1");
      relay.record();
      assertThat(rows.delivered()).containsExactly("a1");
      assertThat(rows.standing("a2")).isEqualTo("READY 1");
      assertThat(rows.standing("b2")).isEqualTo("READY 0");
    }
  }

  @Test
  void record_whoseSkippedHeadIsRefused_doesNotLetTheLaterOnesPass() {
    rows.addUnder("k", "k1", "k2");
    try (SteppedRelay relay =
        relay(
            OPTIONS.withDeadHead(DeadHeadPolicy.SKIP),
            Map.of("k1", DeliveryOutcome.bury("hopeless")))) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      rows.expire("k1");
      relay.record();
      assertThat(rows.left()).containsExactly("k1", "k2");
      assertThat(rows.standing("k2")).isEqualTo("READY 0");
    }
  }
}

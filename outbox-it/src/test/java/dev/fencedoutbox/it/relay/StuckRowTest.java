package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case 37: one row in a batch of 100 cannot be moved, and the other 99 are. */
class StuckRowTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();

  @BeforeEach
  void oneHundredMessages() {
    DB.clear();
    rows.addMany("m", 100);
  }

  private RelayBuilder relay() {
    return Relay.from(DB.pool())
        .nanoClock(clock)
        .options(RelayOptions.defaults().withConcurrency(100).withLeaseFor(Duration.ofSeconds(20)))
        .on(PLAIN, (payload, attempt) -> {});
  }

  @Test
  void record_ofARowThatATriggerForbids_leavesThatOneToItsLease() {
    rows.forbidDeletionOf("m57");
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      relay.deliver();
      relay.record();
      assertThat(rows.left()).containsExactly("m57");
      assertThat(relay.counters().delivered()).isEqualTo(99);
      assertThat(relay.counters().recording()).isZero();
      rows.allowDeletions();
      rows.expire("m57");
      clock.pass(Pacing.defaults().sweepEvery());
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    } finally {
      rows.allowDeletions();
    }
    assertThat(rows.delivered()).hasSize(100);
    assertThat(rows.receipt("m57").getAttempts()).isEqualTo(2);
  }

  @Test
  void record_ofARowThatIsLocked_isRepeatedForThatOne_soonForTheOthers() throws SQLException {
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      relay.deliver();
      try (Connection other = locking("m57")) {
        long begun = System.nanoTime();
        assertThat(relay.record()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        assertThat(rows.left()).containsExactly("m57");
        assertThat(relay.counters().recording()).isEqualTo(1);
        other.rollback();
      }
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().claimed()).isEqualTo(100);
    }
    assertThat(rows.delivered()).hasSize(100);
    assertThat(rows.receipt("m57").getAttempts()).isEqualTo(1);
  }

  @Test
  void renewal_besideALockedRow_keepsTheOthers() throws SQLException {
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      clock.pass(Duration.ofSeconds(10));
      try (Connection other = locking("m57")) {
        long begun = System.nanoTime();
        assertThat(relay.renew()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        other.rollback();
      }
      assertThat(relay.waiting().stream().filter(one -> one.trustLeft().toSeconds() == 20))
          .hasSize(99);
    }
  }

  private Connection locking(String eventId) throws SQLException {
    Connection other = DB.connect();
    other.setAutoCommit(false);
    TestDatabase.on(other)
        .fetch("select 1 from outbox.delivery where id = ? for update", rows.of(eventId).getId());
    return other;
  }
}

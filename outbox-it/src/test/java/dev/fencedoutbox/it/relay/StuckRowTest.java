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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
      assertThat(relay.record()).isFalse();
      assertThat(rows.left()).containsExactly("m57");
      assertThat(relay.counters().delivered()).isEqualTo(99);
      clock.pass(Duration.ofSeconds(19));
      assertThat(relay.renew()).as("its lease is to end").isTrue();
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().abandoned()).isEqualTo(1);
      assertThat(relay.counters().recording()).isZero();
      rows.allow();
      rows.expire("m57");
      clock.pass(Pacing.defaults().sweepEvery());
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    } finally {
      rows.allow();
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
  void record_besideManyLockedRows_waitsForOneOfThemAtTheMost() throws SQLException {
    try (SteppedRelay relay = relay().stepByStep();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(100);
      relay.deliver();
      lockEverySecond(other);
      assertThat(relay.record()).isFalse();
      assertThat(relay.record()).isFalse();
      assertThat(relay.counters().delivered()).isEqualTo(50);
      assertThat(relay.counters().failedTransactions()).as("waits").isEqualTo(1);
      other.rollback();
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().delivered()).isEqualTo(100);
    }
  }

  @Test
  void renewal_besideManyLockedRows_waitsForOneOfThemAtTheMost() throws SQLException {
    try (SteppedRelay relay = relay().stepByStep();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(100);
      clock.pass(Duration.ofSeconds(10));
      lockEverySecond(other);
      assertThat(relay.renew()).isFalse();
      assertThat(relay.counters().failedTransactions()).as("waits").isEqualTo(1);
      assertThat(relay.waiting().stream().filter(one -> one.trustLeft().toSeconds() == 20))
          .hasSize(50);
      other.rollback();
      assertThat(relay.renew()).isTrue();
      assertThat(relay.waiting()).allMatch(one -> one.trustLeft().toSeconds() == 20);
    }
  }

  private static void lockEverySecond(Connection other) throws SQLException {
    other.setAutoCommit(false);
    TestDatabase.on(other)
        .fetch("select 1 from outbox.delivery where message_id % 2 = 0 for update");
  }

  @Test
  void record_thatIsForbiddenForAWhile_isRepeated_andDeliversNothingAgain() {
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      relay.deliver();
      DB.dsl().execute("alter table outbox.receipt rename to elsewhere"); // a migration at work
      assertThat(relay.record()).isFalse();
      assertThat(relay.record()).isFalse();
      assertThat(relay.counters().failedTransactions()).as("bounded").isLessThan(80);
      DB.dsl().execute("alter table outbox.elsewhere rename to receipt");
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().claimed()).isEqualTo(100);
      assertThat(relay.counters().delivered()).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "P0001"})
  void record_besideRowsThatAlwaysFail_writesTheOthers_andAbandonsThoseInTime(String sqlState) {
    List<String> stuck = List.of("m3", "m31", "m57", "m88", "m99");
    rows.forbid("delete", sqlState, stuck);
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      relay.deliver();
      for (int i = 0; i < 5; i++) {
        assertThat(relay.record()).isFalse();
      }
      assertThat(rows.left()).containsExactlyElementsOf(stuck);
      assertThat(relay.counters().recording()).isEqualTo(5);
      clock.pass(Duration.ofSeconds(19));
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().abandoned()).isEqualTo(5);
    } finally {
      rows.allow();
    }
  }

  @Test
  void renewal_besideARowThatATriggerForbids_keepsTheOthers_andTriesThatOneAlone() {
    try (SteppedRelay relay = relay().stepByStep()) {
      assertThat(relay.claim()).isEqualTo(100);
      rows.forbid("update", "P0001", List.of("m57"));
      clock.pass(Duration.ofSeconds(10));
      assertThat(relay.renew()).isFalse();
      assertThat(relay.waiting().stream().filter(one -> one.trustLeft().toSeconds() == 20))
          .hasSize(99);
      long failed = relay.counters().failedTransactions();
      assertThat(relay.renew()).isFalse();
      assertThat(relay.counters().failedTransactions()).isEqualTo(failed + 1);
    } finally {
      rows.allow();
    }
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

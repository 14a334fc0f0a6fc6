package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayCounters;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Whatever is thrown inside the relay itself, no delivery is left in nobody's hands: its lease
 * would be renewed for ever.
 */
class NothingLeftBehindTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private boolean outOfMemory;

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private long time() {
    if (outOfMemory) {
      throw new OutOfMemoryError("no heap");
    }
    return clock.getAsLong();
  }

  private SteppedRelay relay() {
    return Relay.from(DB.pool())
        .nanoClock(this::time)
        .options(
            RelayOptions.defaults()
                .withBackoff(Backoff.fixed(Duration.ZERO))
                .withLeaseFor(Duration.ofSeconds(20)))
        .on(PLAIN, (payload, attempt) -> {})
        .stepByStep();
  }

  private void runOutOfMemory(Runnable step) {
    outOfMemory = true;
    assertThatThrownBy(step::run).isInstanceOf(OutOfMemoryError.class);
    outOfMemory = false;
  }

  private static void assertInNobodysHands(SteppedRelay relay) {
    RelayCounters counters = relay.counters();
    assertThat(counters.waiting() + counters.running() + counters.recording()).isZero();
  }

  @Test
  void delivery_thatTheRelayCannotBegin_hasFailedOnce() {
    rows.addUnder("k", "k1", "k2");
    try (SteppedRelay relay = relay()) {
      assertThat(relay.claim()).isEqualTo(2);
      runOutOfMemory(relay::deliver);
      assertThat(relay.record()).isTrue();
      assertInNobodysHands(relay);
      assertThat(rows.standing("k1")).isEqualTo("READY 1");
      assertThat(rows.of("k1").getLastError()).isEqualTo("What calls its handler failed.");
      assertThat(relay.runUntilEmpty()).isEqualTo(2);
    }
    assertThat(rows.delivered()).containsExactly("k1", "k2");
  }

  @Test
  void answers_whoseRecordDoesNotReturn_areStillWritten() throws SQLException {
    rows.addMany("m", 3);
    try (SteppedRelay relay = relay();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      other.setAutoCommit(false);
      TestDatabase.on(other).fetch("select 1 from outbox.delivery for update");
      runOutOfMemory(relay::record); // looks at the time because of what is locked
      other.rollback();
      assertThat(relay.record()).isTrue();
      assertInNobodysHands(relay);
      assertThat(relay.counters().delivered()).isEqualTo(3);
    }
  }

  @Test
  void answers_besideOneThatCannotBeTold_areSettledAllTheSame() {
    rows.addMany("m", 3);
    Logger recorder = (Logger) LoggerFactory.getLogger("dev.fencedoutbox.engine.Recorder");
    Untellable untellable = new Untellable();
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .onDeciding(PLAIN, (payload, attempt) -> DeliveryOutcome.bury("hopeless"))
            .stepByStep()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      recorder.addAppender(untellable);
      untellable.start();
      assertThatThrownBy(relay::record).isInstanceOf(OutOfMemoryError.class);
      recorder.detachAppender(untellable);
      assertThat(relay.record()).isTrue();
      assertInNobodysHands(relay);
      assertThat(relay.counters().buried()).isEqualTo(3);
    } finally {
      recorder.detachAppender(untellable);
    }
  }

  /** What logging may do when the heap is full. */
  private static final class Untellable extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      throw new OutOfMemoryError("no heap");
    }
  }

  @Test
  void tail_whoseHandingBackFails_isHandedBackLater() {
    rows.addMany("m", 3);
    try (SteppedRelay relay = relay()) {
      assertThat(relay.claim()).isEqualTo(3);
      runOutOfMemory(relay::watch);
      clock.pass(Duration.ofSeconds(20));
      relay.watch();
      relay.record();
      assertInNobodysHands(relay);
    }
  }
}

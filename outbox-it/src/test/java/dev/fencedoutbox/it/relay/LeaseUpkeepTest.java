package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.SwitchableDataSource;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What keeps a lease and what ends it. The handler itself takes the relay's other steps, so that
 * each happens while it is at work.
 */
class LeaseUpkeepTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration LEASE = Duration.ofSeconds(100);

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private final SwitchableDataSource source = new SwitchableDataSource(DB.pool());
  private final List<String> seen = new ArrayList<>();

  /** What happens while a handler is at work. */
  private interface Meanwhile {
    void happens(SteppedRelay relay, Attempt attempt) throws Exception;
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private SteppedRelay relay(Meanwhile meanwhile) {
    List<SteppedRelay> self = new ArrayList<>();
    Handler<JSONB> handler =
        (payload, attempt) -> {
          meanwhile.happens(self.get(0), attempt);
          seen.add(
              "%s held=%s interrupted=%s"
                  .formatted(
                      attempt.eventId(), attempt.isHeld(), Thread.currentThread().isInterrupted()));
        };
    self.add(
        Relay.from(source)
            .nanoClock(clock)
            .options(RelayOptions.defaults().withLeaseFor(LEASE).withConcurrency(2))
            .on(PLAIN, handler)
            .stepByStep());
    return self.get(0);
  }

  private OffsetDateTime until(String eventId) {
    return Objects.requireNonNull(rows.of(eventId).getLeaseUntil());
  }

  @Test
  void renewal_coversWhatRunsAndWhatWaits() {
    rows.add("one", "two");
    try (SteppedRelay relay =
        relay(
            (self, attempt) -> {
              if (attempt.eventId().equals("one")) {
                OffsetDateTime one = until("one");
                OffsetDateTime two = until("two");
                clock.pass(LEASE.dividedBy(4));
                assertThat(self.renew()).isTrue();
                assertThat(until("one")).as("not due after a quarter").isEqualTo(one);
                clock.pass(LEASE.dividedBy(4));
                assertThat(self.renew()).isTrue();
                assertThat(until("one")).isAfter(one);
                assertThat(until("two")).isAfter(two);
                assertThat(attempt.trustLeft()).isEqualTo(LEASE);
              }
            })) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      relay.record();
    }
    assertThat(seen)
        .containsExactly("one held=true interrupted=false", "two held=true interrupted=false");
    assertThat(rows.delivered()).containsExactly("one", "two");
  }

  @Test
  void handler_thatHasEndedTheClaimItself_isLeftInPeace_whenTheLeaseIsOver() {
    rows.add("one");
    try (SteppedRelay relay =
        relay(
            (self, attempt) -> {
              assertThat(Leases.ownedBy("handler").complete(DB.dsl(), attempt.lease()).accepted())
                  .isTrue();
              clock.pass(LEASE.dividedBy(2));
              assertThat(self.renew()).isTrue();
              clock.pass(LEASE);
              self.watch();
            })) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      assertThat(relay.counters().lost()).isZero();
    }
    assertThat(seen).containsExactly("one held=false interrupted=false");
    assertThat(rows.delivered()).containsExactly("one");
  }

  @Test
  void renewal_thatIsRefused_interruptsTheHandler_andDropsItsOutcome() {
    rows.add("one", "two");
    try (SteppedRelay relay =
        relay(
            (self, attempt) -> {
              if (attempt.eventId().equals("one")) {
                rows.takeOver("one");
                clock.pass(LEASE.dividedBy(2));
                assertThat(self.renew()).isTrue();
                assertThat(attempt.trustLeft()).isZero();
              }
            })) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      relay.record();
      assertThat(relay.counters().lost()).isEqualTo(1);
      assertThat(relay.counters().delivered()).isEqualTo(1);
      assertThat(relay.counters().recording() + relay.counters().running()).isZero();
    }
    assertThat(seen)
        .containsExactly("one held=false interrupted=true", "two held=true interrupted=false");
    assertThat(rows.of("one").getLeaseOwner()).isEqualTo("another");
    assertThat(rows.delivered()).containsExactly("two");
  }

  @Test
  void renewal_thatFails_isRepeatedWhileTheLeaseIsTrusted() {
    rows.add("one");
    try (SteppedRelay relay =
        relay(
            (self, attempt) -> {
              source.breakDown();
              clock.pass(LEASE.multipliedBy(8).dividedBy(10));
              assertThat(self.renew()).isFalse();
              self.watch();
              assertThat(attempt.isHeld()).isTrue();
              source.mend();
              assertThat(self.renew()).isTrue();
              assertThat(attempt.trustLeft()).isEqualTo(LEASE);
            })) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      relay.record();
      assertThat(relay.counters().failedTransactions()).isEqualTo(1);
      assertThat(relay.counters().lost()).isZero();
    }
    assertThat(rows.delivered()).containsExactly("one");
  }

  @Test
  void renewal_thatFailsForLong_endsTheHandlerByTheLocalClock_andSaysSo() {
    rows.add("one");
    List<String> said = new ArrayList<>();
    try (LogLines log = LogLines.of("dev.fencedoutbox.engine.Watch", Level.ERROR);
        SteppedRelay relay =
            relay(
                (self, attempt) -> {
                  source.breakDown();
                  clock.pass(Duration.ofSeconds(91));
                  assertThat(self.renew()).isFalse();
                  assertThat(attempt.isHeld()).isFalse();
                  self.watch();
                  self.watch(); // says it once
                })) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      source.mend();
      relay.record();
      said.addAll(log.messages());
      assertThat(relay.counters().lost()).isEqualTo(1);
      assertThat(relay.counters().delivered()).isZero();
    }
    assertThat(seen).containsExactly("one held=false interrupted=true");
    assertThat(rows.standing("one")).as("nothing was written").isEqualTo("INPROGRESS 1");
    assertThat(said)
        .containsExactly(
            "Could not renew the lease on attempt 1 at delivery %d of message one on default in time: PT9S of PT1M40S are left. Its handler was interrupted and nothing of it is recorded. Another may claim it when the lease is over. No action is needed unless this repeats."
                .formatted(rows.of("one").getId()));
  }

  @Test
  void tail_thatCouldNotBeginWithinOneLease_isHandedBackUnharmed() {
    rows.add("one", "two", "three");
    try (SteppedRelay relay =
        relay(
            (self, attempt) -> {
              if (attempt.eventId().equals("one")) {
                clock.pass(LEASE.dividedBy(2));
                self.watch();
                assertThat(self.waiting()).as("not yet").hasSize(2);
                assertThat(self.renew()).isTrue();
                clock.pass(LEASE.dividedBy(2));
                assertThat(self.renew()).isTrue();
                self.watch();
                assertThat(self.waiting()).isEmpty();
                self.record();
                assertThat(rows.standing("two")).isEqualTo("READY 0");
                assertThat(rows.standing("three")).isEqualTo("READY 0");
              }
            })) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      relay.record();
      assertThat(relay.counters().released()).isEqualTo(2);
    }
    assertThat(seen).containsExactly("one held=true interrupted=false");
    assertThat(rows.delivered()).containsExactly("one");
  }

  @Test
  void waiting_whoseLeaseIsNotTrustedAnyMore_isNotBegun() {
    rows.add("one");
    try (SteppedRelay relay = relay((self, attempt) -> {})) {
      assertThat(relay.claim()).isEqualTo(1);
      clock.pass(Duration.ofSeconds(95));
      relay.deliver();
      relay.record();
    }
    assertThat(seen).isEmpty();
    assertThat(rows.standing("one")).isEqualTo("READY 0");
  }

  @Test
  void answer_thatCouldNotBeRecorded_isRenewedAndRecordedLater() {
    rows.add("one");
    try (SteppedRelay relay = relay((self, attempt) -> {})) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      source.breakDown();
      assertThat(relay.record()).isFalse();
      source.mend();
      clock.pass(LEASE.dividedBy(2));
      OffsetDateTime before = until("one");
      assertThat(relay.renew()).isTrue();
      assertThat(until("one")).isAfter(before);
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().delivered()).isEqualTo(1);
    }
    assertThat(seen).hasSize(1);
    assertThat(rows.receipt("one").getAttempts()).isEqualTo(1);
  }

  @Test
  void answer_thatCouldNotBeRecordedInTime_isLeftToItsLease() {
    rows.add("one");
    try (SteppedRelay relay = relay((self, attempt) -> {})) {
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      source.breakDown();
      clock.pass(Duration.ofSeconds(95));
      assertThat(relay.record()).as("nothing is left to repeat").isTrue();
      source.mend();
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().recording()).isZero();
    }
    assertThat(rows.standing("one")).isEqualTo("INPROGRESS 1");
  }

  @Test
  void close_handsBackWhatWaits_attemptsRefunded() {
    rows.add("one", "two");
    try (SteppedRelay relay = relay((self, attempt) -> {})) {
      assertThat(relay.claim()).isEqualTo(2);
    }
    assertThat(rows.standing("one")).isEqualTo("READY 0");
    assertThat(rows.standing("two")).isEqualTo("READY 0");
    assertThat(seen).isEmpty();
  }
}

package dev.fencedoutbox.it.testkit;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.testkit.LeaseMover;
import dev.fencedoutbox.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host's tests of its relay: step by step, on a clock and with leases that the test moves. */
class RelayByHandTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final DSLContext dsl = DB.dsl();
  private final LeaseMover<Long> mover =
      LeaseMover.on(dsl, Outbox.create().deliveries(Channel.DEFAULT));
  private final ManualClock clock = new ManualClock();
  private final List<String> handled = new ArrayList<>();
  private final SteppedRelay relay =
      Relay.from(DB.pool())
          .nanoClock(clock)
          .options(RelayOptions.defaults().withLeaseFor(LEASE))
          .on(PLAIN, (payload, attempt) -> handled.add(attempt.eventId()))
          .stepByStep();

  @BeforeEach
  void enqueueOne() {
    DB.clear();
    enqueue(dsl, message("e1"));
  }

  @AfterEach
  void close() {
    relay.close();
  }

  @Test
  void stepByStep_nothingHappensBetweenTheSteps() {
    assertThat(relay.claim()).isOne();
    assertThat(relay.waiting()).extracting(Attempt::eventId).containsExactly("e1");
    assertThat(handled).isEmpty();

    relay.deliver();
    assertThat(handled).containsExactly("e1");
    assertThat(dsl.fetchCount(RECEIPT)).isZero();

    assertThat(relay.record()).isTrue();
    assertThat(dsl.fetchCount(RECEIPT)).isOne();
  }

  @Test
  void takeoverBeforeTheRecord_isRefused_andTheOtherOwnersLeaseStays() {
    assertThat(relay.claim()).isOne();
    long id = relay.waiting().get(0).lease().key();
    relay.deliver();

    mover.takeOver(id);
    relay.record();

    assertThat(relay.counters().refused()).isOne();
    assertThat(relay.counters().delivered()).isZero();
    assertThat(dsl.fetchSingle(DELIVERY).getLeaseOwner()).isEqualTo("another owner");
  }

  @Test
  void clockWithinTheLease_isTrusted_andARenewalStartsAnew() {
    assertThat(relay.claim()).isOne();
    Attempt attempt = relay.waiting().get(0);
    assertThat(attempt.trustLeft()).isEqualTo(LEASE);

    clock.advance(Duration.ofSeconds(20));
    assertThat(attempt.trustLeft()).isEqualTo(Duration.ofSeconds(10));
    assertThat(relay.renew()).isTrue();

    assertThat(attempt.trustLeft()).isEqualTo(LEASE);
    assertThat(attempt.isHeld()).isTrue();
  }

  @Test
  void clockPastTheLease_isNotTrusted_thoughTheDatabaseWouldStillAccept() {
    assertThat(relay.claim()).isOne();
    Attempt attempt = relay.waiting().get(0);

    clock.advance(LEASE);
    assertThat(attempt.isHeld()).isFalse();
    relay.watch();

    assertThat(relay.waiting()).isEmpty();
    relay.record();
    assertThat(relay.counters().released()).isOne();
    assertThat(handled).isEmpty();
  }

  @Test
  void expiredDelivery_isClaimedAgain_andItsAttemptSaysSo() {
    assertThat(relay.claim()).isOne();
    mover.expire(relay.waiting().get(0).lease().key());

    try (SteppedRelay other =
        Relay.from(DB.pool())
            .on(PLAIN, (payload, attempt) -> handled.add(attempt.eventId() + attempt.reclaimed()))
            .stepByStep()) {
      assertThat(other.runUntilEmpty()).isOne();
    }

    assertThat(handled).containsExactly("e1true");
  }

  @Test
  void clock_neverGoesBack() {
    clock.advance(Duration.ofNanos(7));

    assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(clock.getAsLong()).isEqualTo(7);
  }
}

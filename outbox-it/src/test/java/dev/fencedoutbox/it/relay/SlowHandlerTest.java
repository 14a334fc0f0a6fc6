package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers that take longer than the lease. */
class SlowHandlerTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static RelayBuilder relay(RelayOptions options, Handler<JSONB> handler) {
    return Relay.from(DB.pool())
        .options(options.withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(200))))
        .on(PLAIN, handler);
  }

  private OffsetDateTime until(String eventId) {
    return Objects.requireNonNull(rows.of(eventId).getLeaseUntil());
  }

  // Case 11
  @Test
  void handler_thatTakesThreeTimesTheLease_deliversOnce_besideAnotherRelay() {
    rows.add("one");
    Duration lease = Duration.ofMillis(900);
    RelayOptions options = RelayOptions.defaults().withConcurrency(1).withLeaseFor(lease);
    Handler<JSONB> slow =
        (payload, attempt) -> {
          delivered.add(attempt.eventId());
          OffsetDateTime first = attempt.lease().leaseUntil();
          await().until(() -> until("one").isAfter(first.plus(lease.multipliedBy(2))));
        };
    try (Relay one = relay(options, slow).start();
        Relay other = relay(options, slow).start()) {
      await().until(() -> one.counters().delivered() + other.counters().delivered() > 0);
      assertThat(one.counters().claimed() + other.counters().claimed()).isEqualTo(1);
      assertThat(one.counters().lost() + other.counters().lost()).isZero();
    }
    assertThat(delivered).containsExactly("one");
    assertThat(rows.receipt("one").getAttempts()).isEqualTo(1);
  }

  // Case 12
  @Test
  void batch_thatCannotAllBeginWithinOneLease_isDeliveredWithoutSpendingAttempts() {
    rows.addMany("m", 10);
    RelayOptions options =
        RelayOptions.defaults()
            .withConcurrency(1)
            .withPrefetch(9)
            .withAttemptBudget(2)
            .withLeaseFor(Duration.ofMillis(900));
    Handler<JSONB> slow =
        (payload, attempt) -> {
          delivered.add(attempt.eventId());
          OffsetDateTime first = attempt.lease().leaseUntil();
          await().until(() -> until(attempt.eventId()).isAfter(first));
        };
    try (Relay relay = relay(options, slow).start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> relay.counters().delivered() == 10);
      assertThat(relay.counters().lost()).isZero();
    }
    assertThat(delivered).hasSize(10).doesNotHaveDuplicates();
    List<String> receipts = rows.delivered();
    assertThat(receipts).hasSize(10);
    assertThat(receipts).allSatisfy(id -> assertThat(rows.receipt(id).getAttempts()).isEqualTo(1));
  }

  // Case 22
  @Test
  void handler_thatRunsForLong_delaysNoOther() throws InterruptedException {
    rows.add("slow");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Handler<JSONB> handler =
        (payload, attempt) -> {
          if (attempt.eventId().equals("slow")) {
            begun.countDown();
            goOn.await();
          }
        };
    RelayOptions options = RelayOptions.defaults().withConcurrency(2).withPrefetch(4);
    try (Relay relay = relay(options, handler).start()) {
      begun.await();
      rows.addMany("m", 60);
      await().until(() -> relay.counters().delivered() == 60);
      assertThat(relay.counters().running()).isEqualTo(1);
      goOn.countDown();
      await().until(() -> relay.counters().delivered() == 61);
    }
    assertThat(rows.left()).isEmpty();
  }
}

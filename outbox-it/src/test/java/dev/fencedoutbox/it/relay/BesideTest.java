package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.ExecuteListener;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A second thread claims while there is a backlog. */
class BesideTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final String FIRST = " claims";
  private static final String BESIDE = " claims beside";
  private static final int BATCH = 10;

  /** The first claim may take twice as many: what four handlers do, and as many ahead. */
  private static final int FEW = 4;

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger claimsBeside = new AtomicInteger();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private RelayBuilder relay(RelayOptions options, Handler<JSONB> handler, Runnable atClaim) {
    return relay(options, handler, atClaim, () -> {});
  }

  /** That counts the statements of its two claiming threads, and does something at each. */
  private RelayBuilder relay(
      RelayOptions options, Handler<JSONB> handler, Runnable atClaim, Runnable atClaimBeside) {
    ExecuteListener counting =
        ExecuteListener.onExecuteStart(
            context -> {
              String thread = Thread.currentThread().getName();
              if (thread.endsWith(BESIDE)) {
                claimsBeside.incrementAndGet();
                atClaimBeside.run();
              } else if (thread.endsWith(FIRST)) {
                claims.incrementAndGet();
                atClaim.run();
              }
            });
    return Relay.from(DB.pool())
        .jooq(new DefaultConfiguration().set(SQLDialect.POSTGRES).set(counting))
        .options(options)
        .on(PLAIN, handler);
  }

  private static RelayOptions options() {
    return RelayOptions.defaults()
        .withConcurrency(4)
        .withClaimBatch(BATCH)
        .withPrefetch(5 * BATCH)
        .withPacing(
            Pacing.defaults()
                .withSweepEvery(Duration.ofMillis(40))
                .withShortestPoll(Duration.ofMillis(2)));
  }

  private void deliver(JSONB payload, Attempt attempt) {
    delivered.add(attempt.eventId());
  }

  /**
   * The first thread stands in its fourth statement. The second goes on as soon as there is room,
   * by its own look once a second it would take 20 s, and no longer than there is something.
   */
  @Test
  void backlog_isClaimedBeside_whileTheFirstThreadIsBusy() {
    rows.addMany("m", 20 * BATCH);
    Gate goOn = new Gate();
    Runnable standing =
        () -> {
          if (claims.get() == 4) {
            goOn.pass();
          }
        };
    try (Relay relay = relay(options(), this::deliver, standing).start();
        goOn) {
      await().until(() -> claims.get() == 4);
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> relay.counters().delivered() == 20 * BATCH);
      int asked = claimsBeside.get();
      for (int i = 0; i < 20; i++) {
        assertThat(inProgress()).isZero();
      }
      assertThat(claimsBeside).as("but for one that found nothing").hasValueLessThan(asked + 2);
      assertThat(claims).hasValue(4);
    }
    assertThat(claimsBeside).hasPositiveValue();
    assertThat(delivered).hasSize(20 * BATCH).doesNotHaveDuplicates();
  }

  @Test
  void backlogSmallerThanAClaim_isNotClaimedBeside() {
    rows.addMany("m", FEW);
    try (Relay relay = relay(options(), this::deliver, () -> {}).start()) {
      await().until(() -> relay.counters().delivered() == FEW);
      int before = claims.get();
      await().until(() -> claims.get() >= before + 10);
    }
    assertThat(claimsBeside).hasValue(0);
  }

  @Test
  void afterABacklog_nothingMoreIsAskedBeside() {
    rows.addMany("m", 20 * BATCH);
    try (Relay relay = relay(options(), this::deliver, () -> {}).start()) {
      await().until(() -> relay.counters().delivered() == 20 * BATCH);
      int idle = claims.get();
      await().until(() -> claims.get() >= idle + 5);
      int beside = claimsBeside.get();
      int before = claims.get();
      await().until(() -> claims.get() >= before + 10);
      assertThat(claimsBeside).hasValue(beside);
    }
  }

  @Test
  void closeInABacklog_claimsNoMore() {
    rows.addMany("m", 1_000 * BATCH);
    try (Relay relay = relay(options(), this::deliver, () -> {}).start()) {
      await().until(() -> relay.counters().delivered() >= 10 * BATCH);
      relay.close();
      long claimed = relay.counters().claimed();
      assertThat(claimed).isLessThan(300 * BATCH);
      assertThat(inProgress()).isZero();
      assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(1_000 * BATCH - delivered.size());
    }
  }

  @Test
  void orderingKeys_areClaimedByTheFirstThreadAlone() {
    for (int i = 0; i < 6 * BATCH; i++) {
      enqueue(DB.dsl(), message("m" + i).orderingKey("key" + i % 12));
    }
    try (Relay relay = relay(options(), this::deliver, () -> {}).start()) {
      await().until(() -> relay.counters().delivered() == 6 * BATCH);
    }
    assertThat(claimsBeside).hasValue(0);
  }

  /** The second would leave them a third of the claims in place of half. */
  @Test
  void orderingKeys_thatHaveMoreToGive_areNotPushedAsideByASecondThread() {
    rows.addMany("free", 200 * BATCH);
    enqueue(
        DB.dsl(),
        IntStream.range(0, 40 * BATCH)
            .mapToObj(i -> message("ordered" + i).orderingKey("key" + i))
            .toArray(Message[]::new));
    AtomicInteger atFirst = new AtomicInteger();
    AtomicInteger later = new AtomicInteger();
    Runnable counting =
        () -> {
          if (claims.get() == 3) { // the first of ordering keys is over
            atFirst.set(claimsBeside.get());
          } else if (claims.get() == 20) {
            later.set(claimsBeside.get());
          }
        };
    try (Relay relay = relay(options(), this::deliver, counting).start()) {
      await().until(() -> relay.counters().delivered() == 240 * BATCH);
    }
    assertThat(later.get() - atFirst.get()).as("but for one that had begun").isBetween(0, 1);
  }

  /** What the first thread's claim may bring is kept free while the second claims. */
  @Test
  void bothTogether_takeNoMoreInHandThanTheOptionsSay() {
    rows.addMany("m", 20 * BATCH);
    RelayOptions tight = options().withConcurrency(BATCH).withPrefetch(BATCH);
    Gate claimOn = new Gate();
    Gate handleOn = new Gate();
    Runnable standing =
        () -> {
          if (claims.get() == 3) {
            claimOn.pass();
          }
        };
    Handler<JSONB> handler =
        (payload, attempt) -> {
          if (claims.get() >= 3) {
            handleOn.pass();
          }
        };
    try (Relay relay = relay(tight, handler, standing).start();
        claimOn;
        handleOn) {
      await().until(() -> claims.get() == 3 && inProgress() >= BATCH / 2);
      long before = relay.counters().claimed();
      claimOn.close();
      await().until(() -> relay.counters().claimed() > before);
      assertThat(inProgress()).isLessThanOrEqualTo(2 * BATCH);
      handleOn.close();
      await().until(() -> relay.counters().delivered() == 20 * BATCH);
    }
  }

  private static int inProgress() {
    return DB.dsl().fetchCount(DELIVERY, DELIVERY.STATUS.eq(DeliveryStatus.INPROGRESS));
  }

  @Test
  void claimBeside_thatFails_isCounted_andTheFirstDoesAll() {
    rows.addMany("m", 20 * BATCH);
    Runnable failing =
        () -> {
          throw new IllegalStateException("not beside");
        };
    try (Relay relay = relay(options(), this::deliver, () -> {}, failing).start()) {
      await().until(() -> relay.counters().delivered() == 20 * BATCH);
      relay.close();
      assertThat(relay.counters().failedTransactions()).isEqualTo(claimsBeside.get());
    }
    assertThat(delivered).hasSize(20 * BATCH).doesNotHaveDuplicates();
  }

  /** Where threads stand until it is closed. */
  private static final class Gate implements AutoCloseable {
    private final CountDownLatch latch = new CountDownLatch(1);

    void pass() {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      latch.countDown();
    }
  }
}

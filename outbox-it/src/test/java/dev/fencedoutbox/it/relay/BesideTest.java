package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Gate;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jooq.ExecuteListener;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A second thread claims while there is a backlog. */
class BesideTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final String NAME = "of two";
  private static final String FIRST = NAME + " claims";
  private static final String BESIDE = NAME + " claims beside";
  private static final String RECORDING = NAME + " records";
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

  /** That counts the statements of its two claiming threads, and does something at each. */
  private RelayBuilder relay(RelayOptions options, Handler<JSONB> handler, Runnable atClaim) {
    return relay(
        options,
        handler,
        thread -> {
          if (thread.equals(FIRST)) {
            atClaim.run();
          }
        });
  }

  private RelayBuilder relay(
      RelayOptions options, Handler<JSONB> handler, Consumer<String> atStatementOfThread) {
    ExecuteListener counting =
        ExecuteListener.onExecuteStart(
            context -> {
              String thread = Thread.currentThread().getName();
              if (thread.equals(BESIDE)) {
                claimsBeside.incrementAndGet();
              } else if (thread.equals(FIRST)) {
                claims.incrementAndGet();
              }
              atStatementOfThread.accept(thread);
            });
    return Relay.from(DB.pool())
        .name(NAME)
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
    try (Relay relay = relay(options().withConcurrency(8), this::deliver, standing).start();
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
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .anyMatch(name -> name.equals(FIRST))
          .noneMatch(name -> name.equals(BESIDE));
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

  /** The second is in its fifth claim when it is told to end, and that is its last. */
  @Test
  void closeInABacklog_claimsNoMore() {
    rows.addMany("m", 300 * BATCH);
    Gate goOn = new Gate();
    AtomicReference<Thread> first = new AtomicReference<>();
    Consumer<String> closing =
        thread -> {
          if (thread.equals(FIRST) && claims.get() > 3) {
            first.set(Thread.currentThread());
            goOn.pass();
          } else if (thread.equals(BESIDE) && claimsBeside.get() == 5) {
            await().until(() -> first.get() != null);
            goOn.close();
            await().until(() -> !requireNonNull(first.get()).isAlive());
          }
        };
    try (Relay relay = relay(options().withConcurrency(8), this::deliver, closing).start();
        goOn) {
      await().until(() -> claimsBeside.get() == 5);
      relay.close();
    }
    assertThat(claimsBeside).hasValue(5);
    assertThat(inProgress()).isZero();
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(300 * BATCH - delivered.size());
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
  void claimBeside_thatFails_isCountedAndPaused() {
    rows.addMany("m", 20 * BATCH);
    List<Long> attempts = new CopyOnWriteArrayList<>();
    Consumer<String> failing =
        thread -> {
          if (thread.equals(BESIDE)) {
            attempts.add(System.nanoTime());
            throw new IllegalStateException("not beside");
          }
        };
    try (Relay relay = relay(options(), this::deliver, failing).start()) {
      await().until(() -> relay.counters().delivered() == 20 * BATCH);
      relay.close();
      assertThat(relay.counters().failedTransactions()).isEqualTo(attempts.size());
    }
    assertThat(attempts).isNotEmpty();
    for (int i = 1; i < attempts.size(); i++) {
      assertThat(Duration.ofNanos(attempts.get(i) - attempts.get(i - 1)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(160));
    }
    assertThat(delivered).hasSize(20 * BATCH).doesNotHaveDuplicates();
  }

  /** The first stands; the second's tenth claim finds all room free, and no other is recorded. */
  @Test
  void whileNothingCanBeRecorded_nothingIsClaimedBeside() {
    rows.addMany("m", 100 * BATCH);
    Gate goOn = new Gate();
    AtomicBoolean out = new AtomicBoolean();
    AtomicInteger failed = new AtomicInteger();
    Consumer<String> failing =
        thread -> {
          if (thread.equals(FIRST) && claims.get() > 3) {
            goOn.pass();
          } else if (thread.equals(BESIDE) && claimsBeside.get() == 10) {
            await().until(() -> inProgress() == 0);
            out.set(true);
          } else if (thread.equals(BESIDE) && out.get()) { // asked before the first failure
            await().until(() -> failed.get() > 1);
          } else if (thread.equals(RECORDING) && out.get()) {
            failed.incrementAndGet();
            throw new DataAccessException("no answer", new SQLException("gone", "08006"));
          }
        };
    try (Relay relay = relay(options().withConcurrency(8), this::deliver, failing).start();
        goOn) {
      await().until(() -> failed.get() > 2);
      assertThat(claimsBeside).hasValueLessThan(12);
      out.set(false);
      goOn.close();
      await().until(() -> relay.counters().delivered() == 100 * BATCH);
    }
  }
}

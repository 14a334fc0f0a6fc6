package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers on the host's own threads. */
class HostExecutorTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private RelayBuilder relay(Executor executor) {
    return Relay.from(DB.pool())
        .options(
            RelayOptions.defaults()
                .withLeaseFor(Duration.ofSeconds(1))
                .withConcurrency(2)
                .withPrefetch(2))
        .executor(executor)
        .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()));
  }

  private static Executor failing(
      ExecutorService real, AtomicBoolean failing, Supplier<? extends RuntimeException> thrown) {
    return task -> {
      if (failing.get()) {
        throw thrown.get();
      }
      real.execute(task);
    };
  }

  @Test
  void executor_thatRejects_costsNoAttempt_andIsAskedAgain() {
    ExecutorService real = Executors.newFixedThreadPool(2);
    AtomicBoolean rejects = new AtomicBoolean(true);
    rows.addMany("m", 6);
    try (Relay relay =
        relay(failing(real, rejects, () -> new RejectedExecutionException("full"))).start()) {
      await().until(() -> relay.counters().released() >= 2); // handed back within one lease
      assertThat(relay.counters().running()).isZero();
      rejects.set(false);
      await().until(() -> relay.counters().delivered() == 6);
    } finally {
      real.shutdownNow();
    }
    assertThat(delivered).hasSize(6);
    assertThat(rows.receipt("m0").getAttempts()).isEqualTo(1);
  }

  @Test
  void executor_thatFails_losesNoWorker() {
    ExecutorService real = Executors.newFixedThreadPool(2);
    AtomicBoolean fails = new AtomicBoolean(true);
    AtomicInteger asked = new AtomicInteger();
    rows.addMany("m", 6);
    try (Relay relay =
        relay(
                failing(
                    real,
                    fails,
                    () -> {
                      asked.incrementAndGet();
                      return new IllegalStateException("no thread");
                    }))
            .start()) {
      await().until(() -> asked.get() > 2); // more often than there are workers
      fails.set(false);
      await().until(() -> relay.counters().delivered() == 6);
    } finally {
      real.shutdownNow();
    }
  }

  @Test
  void executor_ofOneThread_bounds_whatRunsAtOnce() throws InterruptedException {
    ExecutorService one = Executors.newSingleThreadExecutor();
    AtomicInteger atWork = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(20);
    rows.addMany("m", 20);
    try (Relay relay =
        Relay.from(DB.pool())
            .executor(one)
            .on(
                PLAIN,
                (payload, attempt) -> {
                  most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                  atWork.decrementAndGet();
                  all.countDown();
                })
            .start()) {
      all.await();
      await().until(() -> relay.counters().delivered() == 20);
    } finally {
      one.shutdownNow();
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void virtualThreads_deliver() throws ReflectiveOperationException {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads come with Java 21");
    ExecutorService virtual =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    Queue<String> threads = new ConcurrentLinkedQueue<>();
    rows.addMany("m", 50);
    try (Relay relay =
        Relay.from(DB.pool())
            .executor(virtual)
            .on(PLAIN, (payload, attempt) -> threads.add(Thread.currentThread().toString()))
            .start()) {
      await().until(() -> relay.counters().delivered() == 50);
    } finally {
      virtual.shutdownNow();
    }
    assertThat(threads).hasSize(50).allMatch(thread -> thread.startsWith("VirtualThread"));
  }
}

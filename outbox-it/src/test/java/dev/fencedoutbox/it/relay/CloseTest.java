package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Gate;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.CloseReport;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.ExecuteListener;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However its handlers behave, a relay ends within the time that it is given. */
class CloseTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final Queue<String> called = new ConcurrentLinkedQueue<>();
  private final Queue<String> interrupted = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @AfterEach
  void letAllEnd() {
    goOn.countDown();
  }

  private static RelayBuilder relay(Handler<JSONB> handler) {
    return Relay.from(DB.pool())
        .name("closing")
        .options(RelayOptions.defaults().withConcurrency(1).withPrefetch(3))
        .on(PLAIN, handler);
  }

  /** Sleeps through whatever it is told. */
  private void deaf(String eventId) {
    called.add(eventId);
    begun.countDown();
    boolean over = false;
    while (!over) {
      try {
        goOn.await();
        over = true;
      } catch (InterruptedException e) {
        interrupted.add(eventId);
      }
    }
  }

  private static Duration time(Runnable work) {
    long begun = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Test
  void close_besideAHandlerThatNeverReturns_returnsInTime_andSaysWhatIsLeft() throws Exception {
    rows.add("deaf", "next");
    Relay relay = relay((payload, attempt) -> deaf(attempt.eventId())).start();
    begun.await();
    await().until(() -> relay.counters().claimed() == 2);
    Duration took =
        time(
            () -> {
              CloseReport report = relay.close(Duration.ofMillis(800));
              assertThat(report).isEqualTo(new CloseReport(1, 1));
              assertThat(report.isClean()).isFalse();
            });
    assertThat(took).isBetween(Duration.ofMillis(700), Duration.ofSeconds(10));
    assertThat(interrupted).contains("deaf");
    assertThat(rows.standing("next")).isEqualTo("READY 0");
    assertThat(rows.standing("deaf")).isEqualTo("INPROGRESS 1");
    assertThat(relay.close(Duration.ofDays(1))).as("again").isEqualTo(new CloseReport(1, 1));
  }

  /** One that hangs in the network, say. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_besideAClaimThatHangs_beginsNothingMeanwhile(boolean ofOneKey) throws Exception {
    if (ofOneKey) {
      rows.addUnder("k", "handled", "waits");
    } else {
      rows.add("handled", "waits");
    }
    Gate claimOn = new Gate();
    ExecuteListener hanging =
        ExecuteListener.onExecuteStart(
            context -> {
              if (Thread.currentThread().getName().contains(" claims") && inProgress() == 2) {
                begun.countDown();
                claimOn.pass();
              }
            });
    Gate handled = new Gate();
    try (OneWorker worker = new OneWorker();
        Relay relay =
            relay((payload, attempt) -> call(attempt.eventId(), handled))
                .options(RelayOptions.defaults().withConcurrency(2))
                .executor(worker.executor)
                .jooq(new DefaultConfiguration().set(SQLDialect.POSTGRES).set(hanging))
                .start();
        claimOn;
        handled) {
      begun.await();
      Thread closer = new Thread(() -> assertThat(relay.close(Duration.ofMinutes(5))).isNotNull());
      closer.start();
      await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
      handled.close();
      worker.awaitIdle();
      claimOn.close();
      closer.join();
    }
    assertThat(called).containsExactly("handled");
    assertThat(inProgress()).isZero();
    assertThat(rows.standing("waits")).isEqualTo("READY 0");
  }

  @Test
  void close_thatIsInterrupted_beginsNothingMore() throws Exception {
    rows.addUnder("k", "handled", "waits");
    Gate handled = new Gate();
    try (OneWorker worker = new OneWorker();
        Relay relay =
            relay((payload, attempt) -> call(attempt.eventId(), handled))
                .executor(worker.executor)
                .start();
        handled) {
      await().until(() -> called.size() == 1);
      Thread.currentThread().interrupt();
      assertThat(relay.close(Duration.ofMinutes(5)).isClean()).isFalse();
      assertThat(Thread.interrupted()).isTrue();
      handled.close();
      worker.awaitIdle();
    }
    assertThat(called).containsExactly("handled");
  }

  private void call(String eventId, Gate gate) {
    called.add(eventId);
    gate.pass();
  }

  private static final class OneWorker implements AutoCloseable {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    void awaitIdle() throws Exception {
      executor.submit(() -> {}).get();
    }

    @Override
    public void close() {
      executor.shutdown();
    }
  }

  private static int inProgress() {
    return DB.dsl().fetchCount(DELIVERY, DELIVERY.STATUS.eq(DeliveryStatus.INPROGRESS));
  }

  @Test
  void close_inNoTime_returnsAtOnce() throws Exception {
    rows.add("deaf");
    Relay relay = relay((payload, attempt) -> deaf(attempt.eventId())).start();
    begun.await();
    assertThat(time(() -> assertThat(relay.close(Duration.ZERO).abandoned()).isEqualTo(1)))
        .isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void close_inNoTime_besideALongClose_returnsAtOnce() throws Exception {
    rows.add("deaf");
    Relay relay = relay((payload, attempt) -> deaf(attempt.eventId())).start();
    begun.await();
    Thread closer = new Thread(() -> assertThat(relay.close(Duration.ofDays(1))).isNotNull());
    closer.start();
    await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    assertThat(time(() -> assertThat(relay.close(Duration.ZERO)).isEqualTo(new CloseReport(0, 1))))
        .isLessThan(Duration.ofSeconds(5));
    goOn.countDown();
    closer.join();
    assertThat(relay.close(Duration.ZERO)).isEqualTo(new CloseReport(0, 0));
  }

  @Test
  void start_whoseWakeupSourceFails_leavesNothingRunning() {
    AtomicInteger closed = new AtomicInteger();
    RelayBuilder builder =
        relay((payload, attempt) -> {})
            .name("never-started")
            .wakenBy((channel, wake) -> closed::incrementAndGet)
            .wakenBy(
                (channel, wake) -> {
                  throw new IllegalStateException("no such source");
                });
    assertThatThrownBy(builder::start).hasMessage("no such source");
    assertThat(closed).hasValue(1);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("never-started"));
  }

  @Test
  void close_besideAWakeupSourceThatFails_endsAllThreads() {
    Relay relay =
        relay((payload, attempt) -> {})
            .name("ill-woken")
            .wakenBy(
                (channel, wake) ->
                    () -> {
                      throw new IllegalStateException("does not close");
                    })
            .start();
    assertThat(relay.name()).isEqualTo("ill-woken");
    assertThat(relay.channel()).isEqualTo(Channel.DEFAULT);
    relay.close();
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("ill-woken")));
  }

  @Test
  void close_interruptsAHandlerNearTheEndOfItsTime_andRecordsTheFailure() throws Exception {
    rows.add("one");
    Relay relay =
        relay(
                (payload, attempt) -> {
                  begun.countDown();
                  goOn.await();
                })
            .start();
    begun.await();
    assertThat(relay.close(Duration.ofSeconds(4))).isEqualTo(new CloseReport(0, 0));
    assertThat(rows.standing("one")).isEqualTo("READY 1");
    assertThat(rows.of("one").getLastError()).isEqualTo("java.lang.InterruptedException");
  }

  @Test
  void close_letsTheDeliveryAtWorkEnd_andHandsBackTheRestOfItsRun() throws Exception {
    rows.addUnder("k", "k1", "k2"); // as much as it claims at first
    Relay relay =
        relay(
                (payload, attempt) -> {
                  called.add(attempt.eventId());
                  begun.countDown();
                  goOn.await();
                })
            .start();
    begun.await();
    await().until(() -> relay.counters().claimed() == 2);
    Thread closer = new Thread(() -> assertThat(relay.close(Duration.ofSeconds(20))).isNotNull());
    closer.start();
    await().until(() -> closer.getState() == Thread.State.TIMED_WAITING && noneClaims(relay));
    goOn.countDown();
    closer.join();
    assertThat(called).containsExactly("k1");
    assertThat(rows.delivered()).containsExactly("k1");
    assertThat(rows.standing("k2")).isEqualTo("READY 0");
    assertThat(relay.close(Duration.ZERO)).isEqualTo(new CloseReport(1, 0));
  }

  /** Whether the thread that claims has ended, which closing waits for before all else. */
  private static boolean noneClaims(Relay relay) {
    assertThat(relay.counters().running()).isEqualTo(1);
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("closing claims"));
  }

  @Test
  void handler_thatIsAtWorkForTooLong_isInterrupted_andTakesOnlyOneWorkerOfItsRelay() {
    rows.add("deaf");
    RelayOptions options =
        RelayOptions.defaults()
            .withConcurrency(2)
            .withLeaseFor(Duration.ofMillis(900))
            .withAttemptBudget(1_000)
            .withBackoff(Backoff.fixed(Duration.ofMillis(50)))
            .withPacing(
                Pacing.defaults()
                    .withSweepEvery(Duration.ofMillis(200))
                    .withLongestHandling(Duration.ofMillis(300)));
    try (Relay relay =
        relay(
                (payload, attempt) -> {
                  if (attempt.number() == 1) {
                    deaf(attempt.eventId());
                  }
                })
            .options(options)
            .start()) {
      await().until(() -> interrupted.contains("deaf"));
      await().until(() -> relay.counters().lost() == 1);
      await().until(() -> relay.counters().retried() >= 2); // claimed again, and not begun
      assertThat(relay.counters().reclaimed()).isEqualTo(1);
      assertThat(relay.counters().running()).isEqualTo(1);
      goOn.countDown();
      await().until(() -> relay.counters().delivered() == 1); // the late outcome is dropped
    }
    assertThat(rows.receipt("deaf").getAttempts()).isGreaterThan(3);
  }
}

package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.COUNT;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.PLAIN;
import static dev.fencedoutbox.it.job.Counts.claim;
import static dev.fencedoutbox.it.job.Counts.claimed;
import static dev.fencedoutbox.it.job.Counts.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.SwitchableDataSource;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.JobWaitOptions;
import dev.fencedoutbox.job.JobWaits;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.notify.Notifications;
import dev.fencedoutbox.notify.Notifier;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.WakeupSource.Listening;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobWaitsTest {
  static final TestDatabase DB = TestDatabase.create();

  /** No test lasts as long as one pause. */
  private static final Duration FOR_EVER = Duration.ofMinutes(10);

  private static final Duration A_WHILE = Duration.ofMillis(300);

  private final DSLContext dsl = DB.dsl();
  private final AtomicInteger looks = new AtomicInteger();
  private final JobWaitOptions counted =
      JobWaitOptions.defaults()
          .withJooq(
              new DefaultConfiguration()
                  .set(SQLDialect.POSTGRES)
                  .deriveAppending(ExecuteListener.onExecuteStart(c -> looks.incrementAndGet())));
  private final JobWaitOptions onlyWhenWoken = counted.withPauses(FOR_EVER, FOR_EVER);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static <T> T got(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private void finish(String key, int result) {
    assertThat(COUNTS.finish(dsl, claimed(dsl, key), result)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  @Test
  void await_ofAJobThatIsDone_bringsItsResult() throws Exception {
    finish("k", 42);
    try (JobWaits waits = JobWaits.start(DB.pool(), onlyWhenWoken)) {
      JobView<Integer, Integer, Integer> view = got(waits.await(COUNT, "k"));

      assertThat(view.status()).isEqualTo(JobStatus.DONE);
      assertThat(view.result()).hasValue(42);
    }
  }

  @Test
  void wakeUp_findsWhatHasEnded_byOneLook() throws Exception {
    try (JobWaits waits = JobWaits.start(DB.pool(), onlyWhenWoken)) {
      CompletableFuture<JobView<Integer, Integer, Integer>> end = waits.await(COUNT, "k");
      int before = settled();
      finish("k", 42);
      assertThat(end).isNotDone();

      waits.wakeUp();

      assertThat(got(end).result()).hasValue(42);
      assertThat(looks).hasValue(before + 1);
    }
  }

  @Test
  void await_withoutAnyWakeUp_findsItByLookingAgain() throws Exception {
    try (JobWaits waits = JobWaits.start(DB.pool(), counted)) {
      CompletableFuture<JobView<Integer, Integer, Integer>> end = waits.await(COUNT, "k");
      await().until(() -> looks.get() > 1);
      finish("k", 42);

      assertThat(got(end).result()).hasValue(42);
    }
  }

  @Test
  void await_ofManyJobs_costsOneStatementALook() throws Exception {
    List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
    keys.forEach(key -> submit(dsl, key));
    try (JobWaits waits = JobWaits.start(DB.pool(), onlyWhenWoken)) {
      List<CompletableFuture<JobView<Integer, Integer, Integer>>> ends =
          keys.stream().map(key -> waits.await(COUNT, key)).toList();
      CompletableFuture<?> sameKeyOfAnotherKind = waits.await(PLAIN, "k1");
      int before = settled();
      List<Finished<Long, Integer>> finished =
          A.claim(dsl, COUNTS.table(), Fixtures.LONG, 100).claimed().stream()
              .map(c -> new Finished<>(c.lease(), Integer.parseInt(c.row().key().substring(1))))
              .toList();
      assertThat(COUNTS.finishAll(dsl, finished)).hasSize(100).containsOnly(LeaseOutcome.ACCEPTED);

      waits.wakeUp();

      for (int i = 0; i < 100; i++) {
        assertThat(got(ends.get(i)).result()).hasValue(i);
      }
      assertThat(looks).hasValue(before + 1);
      assertThat(sameKeyOfAnotherKind).isNotDone();
    }
  }

  /** How many looks there were, once there are no more. */
  private int settled() {
    AtomicInteger last = new AtomicInteger();
    await().during(A_WHILE).until(() -> looks.get() == last.getAndSet(looks.get()));
    return looks.get();
  }

  @Test
  void nobodyWaiting_costsNoStatement() throws Exception {
    try (JobWaits waits = JobWaits.start(DB.pool(), counted)) {
      finish("k", 42);
      assertThat(got(waits.await(COUNT, "k")).result()).hasValue(42);
      CompletableFuture<?> given = waits.await(COUNT, "given up");
      await().until(() -> looks.get() > 1);
      given.cancel(false);
      int before = settled();

      waits.wakeUp();

      await().during(A_WHILE).until(() -> looks.get() == before);
    }
  }

  @Test
  void waiting_looksLessAndLess() {
    try (JobWaits waits =
        JobWaits.start(DB.pool(), counted.withPauses(Duration.ofMillis(10), FOR_EVER))) {
      CompletableFuture<?> end = waits.await(COUNT, "never");

      await().until(() -> looks.get() > 2);
      await().during(Duration.ofMillis(400)).until(() -> !end.isDone());

      // 10 ms, 15, 22 ...: the eighth pause ends after half a second, the 14th after 6 s
      assertThat(looks.get()).isLessThan(15);
    }
  }

  @Test
  void await_ofAJobThatIsCancelledOrBuried_endsToo() throws Exception {
    long cancelled = submit(dsl, "cancelled");
    long dead = submit(dsl, "dead");
    try (JobWaits waits = JobWaits.start(DB.pool(), counted)) {
      CompletableFuture<JobView<Integer, Integer, Integer>> first = waits.await(COUNT, "cancelled");
      CompletableFuture<JobView<Integer, Integer, Integer>> second = waits.await(COUNT, "dead");
      assertThat(COUNTS.cancel(dsl, cancelled, "no")).isEqualTo(CancelOutcome.CANCELLED);
      assertThat(A.bury(dsl, claim(dsl, A, dead), "hopeless")).isEqualTo(LeaseOutcome.ACCEPTED);

      assertThat(got(first).cancelReason()).hasValue("no");
      assertThat(got(second).status()).isEqualTo(JobStatus.DEAD);
      assertThat(got(second).lastError()).hasValue("hopeless");
    }
  }

  /** Between processes: who finishes tells, after its commit, on a channel that both know. */
  @Test
  void notification_wakesThoseWhoWait() throws Exception {
    Channel ends = Channel.of("ends of jobs");
    try (JobWaits waits = JobWaits.start(DB.pool(), onlyWhenWoken);
        Notifications notifications = Notifications.start(TestDatabase.dataSource(DB.url()));
        Notifier notifier = Notifier.start(DB.pool());
        Listening listening = notifications.listen(ends, waits::wakeUp)) {
      assertThat(listening).isNotNull();
      await().until(notifications::isProven);
      CompletableFuture<JobView<Integer, Integer, Integer>> end = waits.await(COUNT, "k");
      settled();
      finish("k", 42);
      assertThat(end).isNotDone();

      notifier.committed(Set.of(ends));

      assertThat(got(end).result()).hasValue(42);
    }
  }

  @Test
  void brokenConnection_isLookedThroughAgain_andNobodyIsForgotten() throws Exception {
    SwitchableDataSource source = new SwitchableDataSource(DB.pool());
    source.breakDown();
    try (JobWaits waits =
        JobWaits.start(source, counted.withPauses(Duration.ofMillis(20), A_WHILE))) {
      CompletableFuture<JobView<Integer, Integer, Integer>> end = waits.await(COUNT, "k");
      finish("k", 42);
      await().until(() -> source.refusedAtNanos().size() > 2);
      assertThat(end).isNotDone();

      source.mend();

      assertThat(got(end).result()).hasValue(42);
    }
  }

  @Test
  void close_failsThoseWhoStillWait_andLeavesTheJobAlone() {
    submit(dsl, "k");
    JobWaits waits = JobWaits.start(DB.pool(), counted);
    CompletableFuture<?> end = waits.await(COUNT, "k");
    waits.close();

    for (CompletableFuture<?> failed : List.of(end, waits.await(COUNT, "k"))) {
      assertThatThrownBy(() -> got(failed))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "JobWaits was closed while it waited for job k of kind count. The job is not"
                  + " touched; read it with Jobs.find.");
    }
    assertThat(COUNTS.find(dsl, "k").orElseThrow().status()).isEqualTo(JobStatus.READY);
  }
}

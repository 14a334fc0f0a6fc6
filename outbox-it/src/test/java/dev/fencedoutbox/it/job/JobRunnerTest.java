package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.JobHandler;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.JobOutcome;
import dev.fencedoutbox.job.JobRunner;
import dev.fencedoutbox.job.JobRunnerBuilder;
import dev.fencedoutbox.job.JobRunnerOptions;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.JobWaits;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.RunningJob;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A runner does what its kinds' handlers say, under leases that it keeps. */
class JobRunnerTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final JobKind<JSONB, JSONB, JSONB> RENDER = JobKind.json("render");
  private static final Jobs<JSONB, JSONB, JSONB> RENDERS = Jobs.of(RENDER);
  private static final Duration TWO_LEASES = Duration.ofMillis(1_200);
  private static final JSONB DONE = JSONB.valueOf("\"done\"");

  private final Queue<String> called = new ConcurrentLinkedQueue<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static void submit(Jobs<JSONB, JSONB, JSONB> jobs, String... keys) {
    DB.dsl()
        .transaction(
            tx -> {
              for (String key : keys) {
                assertThat(
                        jobs.submit(
                            tx.dsl(), jobs.kind().job(JSONB.valueOf("{\"n\": 1}")).key(key)))
                    .isNotNull();
              }
            });
  }

  private static JobRunnerBuilder runner(JobHandler<JSONB, JSONB, JSONB> handler) {
    return JobRunner.from(DB.pool())
        .options(
            JobRunnerOptions.defaults()
                .withBackoff(Backoff.fixed(Duration.ZERO))
                .withLongestPoll(Duration.ofMillis(200)))
        .on(RENDERS, handler);
  }

  private static JobView<JSONB, JSONB, JSONB> job(String key) {
    return RENDERS.find(DB.dsl(), key).orElseThrow();
  }

  @Test
  void jobs_areDone_andTheirSubmitterIsTold() throws Exception {
    submit(RENDERS, "a", "b");
    try (JobWaits waits = JobWaits.start(DB.pool());
        JobRunner runner =
            runner(job -> JobOutcome.done(JSONB.valueOf("\"" + job.key() + "\"")))
                .telling(waits::wakeUp)
                .start()) {
      assertThat(waits.await(RENDER, "b").get(30, TimeUnit.SECONDS).result())
          .contains(JSONB.valueOf("\"b\""));
      await().until(() -> runner.counters().finished() == 2);
    }
    assertThat(job("a").status()).isEqualTo(JobStatus.DONE);
    assertThat(job("a").result()).contains(JSONB.valueOf("\"a\""));
  }

  @Test
  void job_thatFails_goesOnFromItsCheckpoint() {
    submit(RENDERS, "a");
    Queue<String> reached = new ConcurrentLinkedQueue<>();
    try (JobRunner runner =
        runner(
                job -> {
                  reached.add(job.checkpoint().map(JSONB::data).orElse("none"));
                  if (job.number() == 1) {
                    assertThat(job.checkpoint(DB.dsl(), JSONB.valueOf("50")))
                        .isEqualTo(LeaseOutcome.ACCEPTED);
                    throw new IllegalStateException("no luck");
                  }
                  return JobOutcome.done();
                })
            .start()) {
      await().until(() -> runner.counters().finished() == 1);
      assertThat(runner.counters().retried()).isEqualTo(1);
    }
    assertThat(reached).containsExactly("none", "50");
    assertThat(job("a").lastError()).contains("java.lang.IllegalStateException: no luck");
  }

  @Test
  void job_thatIsHandedBack_costsNoAttempt() {
    submit(RENDERS, "a");
    Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
    try (JobRunner runner =
        runner(
                job -> {
                  attempts.add(job.number());
                  return attempts.size() < 3 ? JobOutcome.release() : JobOutcome.done();
                })
            .start()) {
      await().until(() -> runner.counters().finished() == 1);
    }
    assertThat(attempts).containsExactly(1, 1, 1);
    assertThat(job("a").attempts()).isEqualTo(1);
  }

  @Test
  void job_whoseAttemptsAreUsedUp_isDead_loudly() {
    submit(RENDERS, "a");
    try (LogLines log = LogLines.of("dev.fencedoutbox", Level.ERROR);
        JobRunner runner =
            runner(job -> JobOutcome.retry("no luck"))
                .options(
                    JobRunnerOptions.defaults()
                        .withAttemptBudget(3)
                        .withBackoff(Backoff.fixed(Duration.ZERO)))
                .start()) {
      await().until(() -> runner.counters().buried() == 1);
      assertThat(log.messages())
          .anySatisfy(line -> assertThat(line).contains("kind render is used up"));
    }
    assertThat(job("a").status()).isEqualTo(JobStatus.DEAD);
    assertThat(job("a").attempts()).isEqualTo(3);
  }

  @Test
  void job_thatTakesThreeLeases_isDoneOnce_besideAnotherRunner() {
    submit(RENDERS, "a");
    JobRunnerOptions options =
        JobRunnerOptions.defaults()
            .withLeaseFor(Duration.ofMillis(600))
            .withLongestPoll(Duration.ofMillis(50));
    JobHandler<JSONB, JSONB, JSONB> slow =
        job -> {
          called.add(job.key());
          OffsetDateTime first = job(job.key()).leaseUntil().orElseThrow();
          await()
              .until(
                  () -> job(job.key()).leaseUntil().orElseThrow().isAfter(first.plus(TWO_LEASES)));
          return JobOutcome.done(DONE);
        };
    try (JobRunner one = runner(slow).options(options).start();
        JobRunner other = runner(slow).options(options).start()) {
      await().until(() -> one.counters().finished() + other.counters().finished() == 1);
    }
    assertThat(called).containsExactly("a");
    assertThat(job("a").attempts()).isEqualTo(1);
  }

  @Test
  void job_thatIsCancelled_isInterrupted_andNothingOfItIsRecorded() {
    submit(RENDERS, "a");
    try (JobRunner runner =
        runner(
                job -> {
                  begun.countDown();
                  try {
                    goOn.await();
                  } catch (InterruptedException e) {
                    called.add("interrupted, held: " + job.isHeld());
                    called.add(String.valueOf(job.checkpoint(DB.dsl(), DONE)));
                  }
                  return JobOutcome.done(DONE);
                })
            .options(JobRunnerOptions.defaults().withLeaseFor(Duration.ofMillis(900)))
            .start()) {
      await().until(() -> begun.getCount() == 0);
      assertThat(RENDERS.cancel(DB.dsl(), "a", "not wanted")).isEqualTo(CancelOutcome.CANCELLED);
      await().until(() -> runner.counters().lost() == 1);
      await().until(() -> runner.counters().running() == 0);
      assertThat(runner.counters().finished()).isZero();
    }
    assertThat(called).containsExactly("interrupted, held: false", "SETTLED");
    assertThat(job("a").status()).isEqualTo(JobStatus.CANCELLED);
  }

  @Test
  void job_thatItsHandlerFinishes_isNotTakenForCancelled() {
    submit(RENDERS, "a");
    try (JobRunner runner =
        runner(
                job -> {
                  assertThat(job.finish(DB.dsl(), DONE, storing("picture")))
                      .isEqualTo(EffectOutcome.APPLIED);
                  await().until(() -> !job.isHeld());
                  long untrusted = System.nanoTime() + job.trustLeft().toNanos();
                  await().until(() -> System.nanoTime() > untrusted + TWO_LEASES.toNanos());
                  called.add("interrupted: " + Thread.currentThread().isInterrupted());
                  return JobOutcome.settled();
                })
            .options(JobRunnerOptions.defaults().withLeaseFor(Duration.ofMillis(600)))
            .start()) {
      await().until(() -> !called.isEmpty());
      await().until(() -> runner.counters().running() == 0);
    }
    assertThat(job("a").status()).isEqualTo(JobStatus.DONE);
    assertThat(called).containsExactly("interrupted: false");
    assertThat(DB.dsl().fetchSingle(EFFECT).getValue()).isEqualTo("picture");
  }

  @Test
  void kinds_haveTheFirstChoiceInTurn() {
    Jobs<JSONB, JSONB, JSONB> prints = Jobs.of(JobKind.json("print"));
    for (int i = 0; i < 20; i++) {
      submit(RENDERS, "r" + i);
      submit(prints, "p" + i);
    }
    JobHandler<JSONB, JSONB, JSONB> calling =
        job -> {
          called.add(job.key().substring(0, 1));
          return JobOutcome.done();
        };
    try (JobRunner runner =
        runner(calling)
            .options(JobRunnerOptions.defaults().withConcurrency(2))
            .on(prints, calling)
            .start()) {
      await().until(() -> runner.counters().finished() == 40);
    }
    assertThat(called.stream().limit(20)).contains("r", "p");
  }

  @Test
  void jobs_thatAreNotBegun_areLeftToOthers() throws Exception {
    submit(RENDERS, "a", "b", "c");
    try (JobRunner runner =
        runner(this::block).options(JobRunnerOptions.defaults().withConcurrency(2)).start()) {
      await().until(() -> called.size() == 2);
      assertThat(runner.counters().claimed()).isEqualTo(2);
      goOn.countDown();
      await().until(() -> runner.counters().finished() == 3);
    }
  }

  @Test
  void close_letsRunningJobsEnd_andClaimsNoMore() throws Exception {
    submit(RENDERS, "a", "b");
    JobRunner runner =
        runner(this::block).options(JobRunnerOptions.defaults().withConcurrency(1)).start();
    begun.await();
    Thread closer = new Thread(() -> assertThat(runner.close(Duration.ofSeconds(20))).isZero());
    closer.start();
    await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    closer.join();
    assertThat(job("a").status()).isEqualTo(JobStatus.DONE);
    assertThat(job("b").status()).isEqualTo(JobStatus.READY);
  }

  @Test
  void close_interruptsAJobNearTheEndOfItsTime_whichGoesOnElsewhere() throws Exception {
    submit(RENDERS, "a");
    JobRunner runner = runner(this::block).start();
    begun.await();
    assertThat(runner.close(Duration.ofSeconds(3))).isZero();
    assertThat(job("a").status()).isEqualTo(JobStatus.READY);
    assertThat(job("a").lastError()).contains("java.lang.InterruptedException");
  }

  private JobOutcome<JSONB> block(RunningJob<JSONB, JSONB, JSONB> job) throws InterruptedException {
    called.add(job.key());
    begun.countDown();
    goOn.await();
    return JobOutcome.done(DONE);
  }

  @Test
  void badRunners_areNotStarted() {
    assertThatThrownBy(() -> JobRunner.from(DB.pool()).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a handler");
    assertThatThrownBy(() -> runner(this::block).on(RENDERS, this::block))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("render has two handlers");
    assertThatThrownBy(() -> JobRunnerOptions.defaults().withConcurrency(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrency");
  }

  @Test
  void handler_thatReturnsNull_orAResultThatCannotBeStored_hasFailed() {
    submit(RENDERS, "a");
    try (JobRunner runner =
        runner(
                job ->
                    job.number() == 1
                        ? JobOutcome.done(JSONB.valueOf("no JSON at all"))
                        : JobOutcome.done(DONE))
            .start()) {
      await().until(() -> runner.counters().finished() == 1);
    }
    assertThat(job("a").attempts()).isEqualTo(2);
  }
}

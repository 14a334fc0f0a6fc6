package dev.fencedoutbox.job;

import dev.fencedoutbox.engine.Engine;
import dev.fencedoutbox.engine.EngineThreads;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Does jobs, on any number of processes at once, by the engine that delivers messages.
 *
 * <pre>{@code
 * try (JobRunner runner =
 *     JobRunner.from(dataSource)
 *         .on(RENDERS, job -> JobOutcome.done(render(job.input())))
 *         .start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Guarantee.</b> Each job is handed to its handler at least once, and again only after an
 * attempt that failed or whose lease ran out; then from its last checkpoint. Leases are renewed
 * while jobs run; one that is lost, and a job that is cancelled, interrupts its handler, and
 * nothing more of it is written. It goes on by itself after whatever happens to the database.
 *
 * <p><b>Connections.</b> At the most three at a time, each for one short READ COMMITTED
 * transaction: one claims, one records, one renews. None is held while a handler is at work.
 *
 * <p><b>Threads.</b> Four, daemons, named after the runner, and up to {@link
 * JobRunnerOptions#concurrency} workers, unless the host gives an executor.
 *
 * <p>Thread-safe. Source: article 002.
 */
public final class JobRunner implements AutoCloseable {

  private final String name;
  private final Engine<JobWork> engine;
  private final EngineThreads threads;
  private final Duration closeTimeout;

  JobRunner(String name, Engine<JobWork> engine, EngineThreads threads, Duration closeTimeout) {
    this.name = name;
    this.engine = engine;
    this.threads = threads;
    this.closeTimeout = closeTimeout;
  }

  /**
   * The beginning of a runner.
   *
   * @param dataSource gives a connection for each short transaction; it should be a pool of at
   *     least three
   */
  public static JobRunnerBuilder from(DataSource dataSource) {
    return new JobRunnerBuilder(dataSource);
  }

  /** Its name, in leases, logs and threads. */
  public String name() {
    return name;
  }

  /**
   * Says that there may be jobs, such as after a commit. Returns at once; often is not too often.
   */
  public void wakeUp() {
    engine.wakeUp();
  }

  /** What it has done, and what it holds. */
  public JobRunnerCounters counters() {
    return JobRunnerCounters.of(engine.counts());
  }

  /**
   * Claims no more, lets running handlers end and records their answers, and returns within {@code
   * timeout} whatever happens; near its end, handlers that are still at work are interrupted. What
   * is left behind is claimed again when its lease is over. Another call changes nothing: it waits
   * for the end of the first, within its own timeout.
   *
   * @param timeout 0 to 1 day
   * @return how many jobs were left to their leases
   */
  public int close(Duration timeout) {
    return threads.close(timeout).abandoned();
  }

  /** {@link #close(Duration)} within {@link JobRunnerOptions#closeTimeout}. */
  @Override
  public void close() {
    int unused = close(closeTimeout);
  }
}

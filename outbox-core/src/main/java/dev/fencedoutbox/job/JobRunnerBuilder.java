package dev.fencedoutbox.job;

import static dev.fencedoutbox.schema.Tables.JOB;

import dev.fencedoutbox.engine.Engine;
import dev.fencedoutbox.engine.EngineThreads;
import dev.fencedoutbox.engine.OwnTransactions;
import dev.fencedoutbox.engine.Workers;
import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link JobRunner} together. Bad values are refused before anything is started.
 *
 * <p>For one thread.
 */
@CheckReturnValue
public final class JobRunnerBuilder {

  private final DataSource dataSource;
  private final List<Desk<?, ?, ?>> desks = new ArrayList<>();
  private final List<Runnable> onRecord = new ArrayList<>();
  private Configuration jooq = OwnTransactions.usualConfiguration();
  private String name = "runner-%08x".formatted(ThreadLocalRandom.current().nextInt());
  private JobRunnerOptions options = JobRunnerOptions.defaults();
  private LongSupplier nanoClock = System::nanoTime;
  private @Nullable Executor executor;

  JobRunnerBuilder(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
  }

  /** The name in leases, logs and threads, for people; it proves nothing. */
  public JobRunnerBuilder name(String forPeople) {
    name = Texts.requireName("A runner's name", forPeople);
    return this;
  }

  /**
   * Settings and listeners for the runner's statements; the configuration's connections are not
   * used.
   */
  public JobRunnerBuilder jooq(Configuration configuration) {
    jooq = Objects.requireNonNull(configuration, "configuration");
    return this;
  }

  /** How it works, if not by {@link JobRunnerOptions#defaults()}. */
  public JobRunnerBuilder options(JobRunnerOptions other) {
    options = Objects.requireNonNull(other, "options");
    return this;
  }

  /** Does the jobs of a kind. Kinds have the first choice of a claim in turn. */
  public <I, C, R> JobRunnerBuilder on(Jobs<I, C, R> jobs, JobHandler<I, C, R> handler) {
    Desk<I, C, R> desk = new Desk<>(jobs, handler);
    if (desks.stream().anyMatch(other -> other.kind().equals(desk.kind()))) {
      throw new IllegalArgumentException(
          "Kind %s has two handlers. Nothing was started. Give it one.".formatted(desk.kind()));
    }
    desks.add(desk);
    return this;
  }

  /**
   * Calls this after each committed record, such as {@code waits::wakeUp} for who waits in the same
   * process. It must return at once and not throw.
   */
  public JobRunnerBuilder telling(Runnable callback) {
    onRecord.add(Objects.requireNonNull(callback, "callback"));
    return this;
  }

  /**
   * Runs handlers on the host's threads, virtual ones as well; the host ends it after the runner.
   */
  public JobRunnerBuilder executor(Executor hosts) {
    executor = Objects.requireNonNull(hosts, "executor");
    return this;
  }

  /** Another monotonic clock for leases and handlers; for tests. */
  public JobRunnerBuilder nanoClock(LongSupplier clock) {
    nanoClock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Starts it. If the database cannot be reached, it is started all the same and begins when it
   * can.
   *
   * @throws IllegalStateException if it has no handler, or if the database does not have the table
   */
  public JobRunner start() {
    if (desks.isEmpty()) {
      throw new IllegalStateException(
          "A runner needs a handler and has none. Nothing was started. Give it one with on(jobs, handler).");
    }
    OwnTransactions database = new OwnTransactions(dataSource, jooq, options.terms().leaseFor());
    Leases leases = Leases.ownedBy(name).withNanoClock(nanoClock);
    List<Runnable> told = List.copyOf(onRecord);
    JobTrade trade =
        new JobTrade(
            database, leases, desks, options.terms(), nanoClock, () -> told.forEach(Runnable::run));
    Engine.Parts<JobWork> parts =
        new Engine.Parts<>(database, leases, trade, options.forEngine(), nanoClock);
    boolean checked = database.isReady(name, JOB);
    Workers workers = Workers.of(executor, name);
    Engine<JobWork> engine = new Engine<>(parts, workers.executor());
    EngineThreads threads = new EngineThreads(name, engine, parts, workers::end);
    threads.start(checked);
    return new JobRunner(name, engine, threads, options.closeTimeout());
  }
}

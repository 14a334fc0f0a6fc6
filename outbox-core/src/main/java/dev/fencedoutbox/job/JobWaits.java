package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Loop;
import dev.fencedoutbox.internal.Signal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.impl.DefaultConnectionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the ends of jobs, any number of them at the cost of one: all that are waited for are
 * looked up by one query. One for all of a process is usual.
 *
 * <pre>{@code
 * JobWaits waits = JobWaits.start(dataSource);
 * waits.await(RENDER, "order-17").orTimeout(1, MINUTES).thenAccept(job -> show(job.result()));
 * }</pre>
 *
 * <p><b>Looks.</b> At once when somebody begins to wait and after {@link #wakeUp}, then in pauses
 * that grow from 100 ms to 5 s while nothing ends, unless told otherwise; never within 10 ms of the
 * last one. While nobody waits, there is none. Two wake-ups are at hand: {@code
 * notifications.listen(channel, waits::wakeUp)} between processes, and {@code
 * wakeup.listen(channel, waits::wakeUp)} in one JVM, both on whatever channel the worker tells of.
 *
 * <p><b>Connections.</b> One is borrowed for each look and returned at once. Where a look fails it
 * is logged and repeated, and everybody goes on waiting.
 *
 * <p>Thread-safe.
 */
@CheckReturnValue
public final class JobWaits implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobWaits.class);
  private static final Duration LEAST_DISTANCE = Duration.ofMillis(10);
  private static final Duration IDLE = Duration.ofHours(1);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final DataSource dataSource;
  private final JobWaitOptions options;
  private final GrowingPause pause;
  private final Set<Waiting<?, ?, ?>> waiting = ConcurrentHashMap.newKeySet();
  private final Signal told = new Signal();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Loop loop = new Loop("outbox job waits", this::look);
  private volatile boolean closed;

  private JobWaits(DataSource dataSource, JobWaitOptions options) {
    this.dataSource = dataSource;
    this.options = options;
    this.pause = new GrowingPause(options.shortestPause(), options.longestPause());
  }

  /** One that is started. */
  public static JobWaits start(DataSource dataSource) {
    return start(dataSource, JobWaitOptions.defaults());
  }

  /** One that is started. */
  public static JobWaits start(DataSource dataSource, JobWaitOptions options) {
    JobWaits waits = new JobWaits(dataSource, options);
    waits.loop.start();
    return waits;
  }

  /**
   * The job of that key once it is over: DONE, CANCELLED, or DEAD, which an operator may redrive;
   * {@link JobView#status} says which. It may be over already. A job that is not there is waited
   * for as well, since its submission may not be committed yet: give the future an end with {@code
   * orTimeout}. To complete or cancel the future ends the wait and leaves the job alone.
   *
   * <p>What hangs on the future without an executor of its own runs in the common pool. If this is
   * closed first, the future fails with an {@link IllegalStateException}.
   *
   * @param key as in {@link NewJob#key(String)}; {@link Submitted} has it
   */
  public <I, C, R> CompletableFuture<JobView<I, C, R>> await(JobKind<I, C, R> kind, String key) {
    Waiting<I, C, R> one = new Waiting<>(kind, key);
    waiting.add(one);
    Object unused = one.future().whenComplete((job, error) -> waiting.remove(one));
    if (closed) {
      one.closed();
    } else {
      wakeUp();
    }
    return one.future();
  }

  /** Looks soon, since a job may be over; returns at once. */
  public void wakeUp() {
    woken.set(true);
    told.raise();
  }

  /** Stops, within 2 s; what is still waited for fails with an {@link IllegalStateException}. */
  @Override
  public void close() {
    closed = true;
    loop.end();
    told.raise();
    loop.endWithin(CLOSE_LIMIT);
    List.copyOf(waiting).forEach(Waiting::closed);
  }

  private void look() throws InterruptedException {
    if (woken.getAndSet(false)) {
      pause.reset();
    }
    List<Waiting<?, ?, ?>> all = List.copyOf(waiting);
    if (all.isEmpty()) {
      told.await(IDLE);
      return;
    }
    if (anyEnded(all)) {
      pause.reset();
    }
    loop.pause(LEAST_DISTANCE);
    told.await(pause.next().minus(LEAST_DISTANCE));
  }

  private boolean anyEnded(List<Waiting<?, ?, ?>> all) {
    try (Connection connection = dataSource.getConnection()) {
      Map<Waiting.Name, Record> over = committing(connection, () -> over(connection, all));
      boolean any = false;
      for (Waiting<?, ?, ?> one : all) {
        Record row = over.get(one.name());
        if (row != null) {
          waiting.remove(one);
          one.end(row);
          any = true;
        }
      }
      return any;
    } catch (SQLException | RuntimeException e) {
      LOG.warn(
          "Could not look for {} jobs that are waited for: {}. Nothing is lost; it is tried again.",
          all.size(),
          String.valueOf(e));
      return false;
    }
  }

  /** With auto-commit, which is as it was before when the connection goes back. */
  private static <T> T committing(Connection connection, Supplier<T> look) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    try {
      connection.setAutoCommit(true);
      return look.get();
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  /** May bring one of one kind under a key of another, which is nobody's. */
  private Map<Waiting.Name, Record> over(Connection connection, List<Waiting<?, ?, ?>> all) {
    Set<String> kinds = all.stream().map(one -> one.name().kind()).collect(Collectors.toSet());
    Set<String> keys = all.stream().map(one -> one.name().key()).collect(Collectors.toSet());
    ResultQuery<Record> query = JobSql.over(kinds, keys);
    Map<Waiting.Name, Record> rows = new HashMap<>();
    HostContext.of(options.jooq().derive(new DefaultConnectionProvider(connection)).dsl())
        .fetch(query)
        .forEach(row -> rows.put(Waiting.Name.of(row), row));
    return rows;
  }
}

package dev.fencedoutbox.notify;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Loop;
import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.CommitListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a NOTIFY for the channels it is told of, so that relays in other processes wake up; hang it
 * behind a {@link dev.fencedoutbox.relay.Wakeup} with {@code wakeup.telling(notifier)}.
 *
 * <p>Never in the business transaction: a thread of its own sends, on a connection that is borrowed
 * for one statement in a transaction of its own. A NOTIFY takes a lock of the whole database at its
 * commit, and fails where the server's queue is full; here that delays and fails nobody. What
 * cannot be sent is logged, counted and dropped, for relays poll.
 *
 * <p>Of each channel at the most one in an interval, and the first at once. Thread-safe.
 */
public final class Notifier implements CommitListener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
  private static final Duration DEFAULT_INTERVAL = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final DataSource dataSource;
  private final Throttle throttle;
  private final Signal told = new Signal();
  private final Pauses pauses = new Pauses();
  private final LongAdder asked = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Loop loop = new Loop("outbox notifier", this::sendDue);

  private Notifier(DataSource dataSource, Duration interval) {
    this.dataSource = dataSource;
    this.throttle = new Throttle(interval);
  }

  /** One that sends for each channel at the most every 100 ms, and is started. */
  public static Notifier start(DataSource dataSource) {
    return start(dataSource, DEFAULT_INTERVAL);
  }

  /**
   * One that is started.
   *
   * @param dataSource gives a connection for each time that something is sent; a pool
   * @param atMostEvery the interval between two notifications for one channel, 1 ms to 1 minute
   */
  public static Notifier start(DataSource dataSource, Duration atMostEvery) {
    Durations.requireBetween("atMostEvery", atMostEvery, Duration.ofMillis(1), LONGEST_WAIT);
    Notifier notifier = new Notifier(dataSource, atMostEvery);
    notifier.loop.start();
    return notifier;
  }

  /** Has it sent soon, and returns at once. */
  @Override
  public void committed(Set<Channel> channels) {
    asked.add(channels.size());
    throttle.ask(channels);
    told.raise();
  }

  /** What it has done. */
  public NotifierCounters counters() {
    return new NotifierCounters(asked.sum(), sent.sum(), failed.sum());
  }

  /** Stops, within 2 s; what is not sent by then is dropped. */
  @Override
  public void close() {
    loop.end();
    told.raise();
    loop.endWithin(CLOSE_LIMIT);
  }

  private void sendDue() throws InterruptedException {
    Set<Channel> due = throttle.take(System.nanoTime());
    if (due.isEmpty()) {
      told.await(throttle.untilNext(System.nanoTime(), LONGEST_WAIT));
      return;
    }
    try {
      NotifySql.send(dataSource, NotifySql.NAME, due.stream().map(Channel::name).toList());
      sent.add(due.size());
      pauses.reset();
    } catch (SQLException e) {
      failed.add(due.size());
      Duration pause = pauses.afterFailure();
      LOG.warn(
          "Could not notify of {} (SQLSTATE {}): {}. Nothing is lost, relays find it by polling; the next is sent in {} at the earliest.",
          due,
          e.getSQLState(),
          e.getMessage(),
          pause);
      loop.pause(pause);
    }
  }
}

package dev.fencedoutbox.notify;

import dev.fencedoutbox.internal.Callbacks;
import dev.fencedoutbox.internal.Loop;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.WakeupSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes relays when a {@link Notifier}, in whatever process, says that messages were committed; one
 * for all relays of a process, given to each with {@code wakenBy}.
 *
 * <p><b>Connections.</b> One is held for as long as this is open, and one more is borrowed for a
 * moment each time that it begins to listen: it sends a notification to itself, and where that does
 * not come in within 3 s, it warns once. A pooler in transaction mode does not pass notifications
 * on, so give it a data source that connects to the server itself. Where the data source is a pool,
 * have a connection more in it.
 *
 * <p>A lost connection is replaced, after 200 ms at first and 30 s at the most; each time that it
 * begins to listen it wakes everybody, for what may have been missed. Thread-safe.
 */
public final class Notifications implements WakeupSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final DataSource dataSource;
  private final Callbacks<String> relays = new Callbacks<>();
  private final Pauses pauses = new Pauses();
  private final LongAdder connected = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final Loop loop = new Loop("outbox notifications", this::listenOnce);
  private volatile boolean proven;
  private boolean warned;

  private Notifications(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** One that is started; if it cannot listen yet, it begins when it can. */
  public static Notifications start(DataSource dataSource) {
    Notifications notifications = new Notifications(dataSource);
    notifications.loop.start();
    return notifications;
  }

  @Override
  public Listening listen(Channel channel, Runnable wake) {
    return relays.add(channel.name(), wake)::run;
  }

  /** Whether notifications do come in: one that it sent to itself has, since it last connected. */
  public boolean isProven() {
    return proven;
  }

  /** What it has seen. */
  public NotificationCounters counters() {
    return new NotificationCounters(connected.sum(), failures.sum(), received.sum());
  }

  /** Stops and returns the connection, within 2 s. */
  @Override
  public void close() {
    loop.endWithin(CLOSE_LIMIT);
  }

  private void listenOnce() throws InterruptedException {
    long begunNanos = System.nanoTime();
    try (Connection connection = dataSource.getConnection();
        ListenSession session = new ListenSession(connection)) {
      listen(session);
    } catch (SQLException e) {
      failures.increment();
      if (System.nanoTime() - begunNanos > Pauses.LONGEST.toNanos()) {
        pauses.reset(); // it worked for long
      }
      Duration pause = pauses.afterFailure();
      LOG.warn(
          "Cannot listen for notifications (SQLSTATE {}): {}. Relays go on by polling; it is tried again in {}.",
          e.getSQLState(),
          e.getMessage(),
          pause);
      loop.pause(pause);
    }
  }

  private void listen(ListenSession session) throws SQLException {
    proven = false;
    connected.increment();
    relays.callAll();
    Probe probe = sendProbe();
    while (!loop.isEnding()) {
      session.receive().forEach(notification -> take(notification, probe));
      if (probe.isOverdue(System.nanoTime()) && !warned) {
        warned = true;
        LOG.warn(
            "LISTEN does not work here: a notification that was sent did not come in within {} s. Is there a pooler in transaction mode between this process and the server? Relays go on by polling, which suffices; for wake-ups, give Notifications a data source that connects to the server itself.",
            Probe.PATIENCE.toSeconds());
      }
    }
  }

  private void take(PGNotification notification, Probe probe) {
    if (notification.getName().equals(NotifySql.NAME)) {
      received.increment();
      relays.call(notification.getParameter());
    } else if (probe.isAnsweredBy(notification.getParameter())) {
      proven = true;
    }
  }

  private Probe sendProbe() {
    Probe probe = new Probe(System.nanoTime());
    try {
      NotifySql.send(dataSource, NotifySql.PROBE, List.of(probe.payload()));
    } catch (SQLException e) {
      probe.giveUp();
      LOG.warn(
          "Could not find out whether LISTEN works here (SQLSTATE {}): {}. It may; it is asked again with the next connection. Has the data source a second connection?",
          e.getSQLState(),
          e.getMessage());
    }
    return probe;
  }
}

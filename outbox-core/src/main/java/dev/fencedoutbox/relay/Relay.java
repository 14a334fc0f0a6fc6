package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Ending;
import dev.fencedoutbox.engine.Engine;
import dev.fencedoutbox.engine.EngineThreads;
import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Delivers the messages of one channel, on any number of processes at once.
 *
 * <pre>{@code
 * try (Relay relay =
 *     Relay.from(dataSource)
 *         .channel("billing")
 *         .on(ORDER_PLACED, (placed, attempt) -> billing.post(placed, attempt.eventId()))
 *         .start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Guarantee.</b> Each delivery is handed to its handler at least once, and again only after
 * an attempt that failed or whose lease ran out. Deliveries of one ordering key are handed out one
 * after the other, in the order of their enqueues, across all relays. It goes on by itself after
 * whatever happens to the database.
 *
 * <p><b>Connections.</b> At the most four at a time, each for one short READ COMMITTED transaction:
 * one claims, a second one as well while there is a backlog without ordering keys, one records, one
 * renews. None is held while a handler is at work. An idle relay asks twice every {@link
 * Pacing#sweepEvery}.
 *
 * <p><b>Threads.</b> Four, and a fifth from the first backlog on, daemons, named after the relay,
 * and up to {@link RelayOptions#concurrency} workers, unless the host gives an executor.
 *
 * <p>Thread-safe. Source: articles 000 and 001.
 */
public final class Relay implements AutoCloseable {

  private final String name;
  private final Channel channel;
  private final EngineThreads threads;
  private final Engine<?> engine;
  private final Duration closeTimeout;

  Relay(
      String name,
      Channel channel,
      Engine<?> engine,
      EngineThreads threads,
      Duration closeTimeout) {
    this.name = name;
    this.channel = channel;
    this.engine = engine;
    this.threads = threads;
    this.closeTimeout = closeTimeout;
  }

  /**
   * The beginning of a relay.
   *
   * @param dataSource gives a connection for each short transaction; it should be a pool of at
   *     least four
   */
  public static RelayBuilder from(DataSource dataSource) {
    return new RelayBuilder(dataSource);
  }

  /** Its name, in leases, logs and threads. */
  public String name() {
    return name;
  }

  /** The channel that it serves. */
  public Channel channel() {
    return channel;
  }

  /**
   * Says that there may be work, such as after a commit. Returns at once; often is not too often.
   */
  public void wakeUp() {
    engine.wakeUp();
  }

  /** What it has done, and what it holds. */
  public RelayCounters counters() {
    return RelayCounters.of(engine.counts());
  }

  /**
   * Claims no more, hands back what waits, lets running handlers end and records their answers, and
   * returns within {@code timeout} whatever happens; near its end, handlers that are still at work
   * are interrupted. What is left behind is claimed again when its lease is over. Another call
   * changes nothing: it waits for the end of the first, within its own timeout, and reports how far
   * that is.
   *
   * @param timeout 0 to 1 day
   */
  public CloseReport close(Duration timeout) {
    Ending ending = threads.close(timeout);
    return new CloseReport(ending.released(), ending.abandoned());
  }

  /** {@link #close(Duration)} within {@link Pacing#closeTimeout}. */
  @Override
  public void close() {
    threads.close(closeTimeout);
  }
}

package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Engine;
import dev.fencedoutbox.engine.Step;
import dev.fencedoutbox.engine.Tried;
import java.util.List;

/**
 * A relay without threads: whoever holds it takes each step, in any order, and can look and
 * interfere between them. For tests of a host's own handlers, and of what happens when a step is
 * late.
 *
 * <p>For one thread.
 */
public final class SteppedRelay implements AutoCloseable {

  private final Engine<DeliveryWork> engine;

  SteppedRelay(Engine<DeliveryWork> engine) {
    this.engine = engine;
  }

  /**
   * Claims what fits; how many deliveries it brought.
   *
   * @throws IllegalStateException if the transaction failed
   */
  public int claim() {
    Tried<Step> tried = engine.claim();
    if (tried instanceof Tried.Failed<Step> failed) {
      throw new IllegalStateException(
          "The claim failed: " + failed.fault(), failed.fault().cause());
    }
    return ((Tried.Done<Step>) tried).value().found();
  }

  /** What is claimed and not begun. */
  public List<Attempt> waiting() {
    return engine.waiting().stream().map(Attempt.class::cast).toList();
  }

  /** Calls handlers, in this thread, until nothing waits. */
  public void deliver() {
    engine.deliver();
  }

  /** Writes the answers; whether all of them are settled, so that none is to be repeated. */
  public boolean record() {
    return engine.record();
  }

  /** Renews the leases that are due; whether all of them were. */
  public boolean renew() {
    return engine.renew();
  }

  /** Stops what cannot be trusted any more, and takes out what waited for too long. */
  public void watch() {
    engine.watch();
  }

  /**
   * Claims, delivers and records until a claim brings nothing; how many deliveries were claimed.
   */
  public int runUntilEmpty() {
    int all = 0;
    for (int found = claim(); found > 0; found = claim()) {
      all += found;
      deliver();
      record();
    }
    return all;
  }

  /** What it has done, and what it holds. */
  public RelayCounters counters() {
    return RelayCounters.of(engine.counts());
  }

  /** Hands back what waits and writes what is answered. */
  @Override
  public void close() {
    engine.releaseWaiting();
    engine.record();
  }
}

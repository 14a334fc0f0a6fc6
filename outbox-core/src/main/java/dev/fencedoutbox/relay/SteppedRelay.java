package dev.fencedoutbox.relay;

import java.util.List;

/**
 * A relay without threads: whoever holds it takes each step, in any order, and can look and
 * interfere between them. For tests of a host's own handlers, and of what happens when a step is
 * late.
 *
 * <p>For one thread.
 */
public final class SteppedRelay implements AutoCloseable {

  private final Engine engine;

  SteppedRelay(Engine engine) {
    this.engine = engine;
  }

  /**
   * Claims what fits; how many deliveries it brought.
   *
   * @throws IllegalStateException if the transaction failed
   */
  public int claim() {
    Tried<Claimer.Step> tried = engine.claim();
    if (tried instanceof Tried.Failed<Claimer.Step> failed) {
      throw new IllegalStateException(
          "The claim failed: " + failed.fault(), failed.fault().cause());
    }
    return ((Tried.Done<Claimer.Step>) tried).value().found();
  }

  /** What is claimed and not begun. */
  public List<Attempt> waiting() {
    return List.copyOf(engine.holdings().at(Work.Stage.WAITING));
  }

  /** Calls handlers, in this thread, until nothing waits. */
  public void deliver() {
    for (List<Run> next = engine.dispatcher().take();
        !next.isEmpty();
        next = engine.dispatcher().take()) {
      engine.deliverer().deliver(next);
    }
  }

  /** Writes the answers; whether all of them are settled, so that none is to be repeated. */
  public boolean record() {
    return engine.recorder().writeAnswered();
  }

  /** Renews the leases that are due; whether the transaction succeeded. */
  public boolean renew() {
    return engine.renewer().renewDue();
  }

  /** Stops what cannot be trusted any more, and takes out what waited for too long. */
  public void watch() {
    engine.watch().look();
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
    return engine.counters();
  }

  /** Hands back what waits and writes what is answered. */
  @Override
  public void close() {
    engine.releaseWaiting();
    engine.recorder().writeAnswered();
  }
}

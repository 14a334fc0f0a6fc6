package dev.fencedoutbox.relay;

import java.time.Duration;

/**
 * A handler that always returns within a time that it knows, such as one that sends a request with
 * a timeout. Any {@link Handler}, {@link DecidingHandler} or {@link BatchHandler} may say so; a
 * handler that wraps another has to pass it on.
 *
 * <p>A relay refuses to be started with one that may be at work for as long as a lease lasts. A
 * lease is renewed while its handler is at work; but where a renewal fails, or the process stands
 * still, somebody else claims the delivery when the lease is over. What a handler still has under
 * way outside the database then runs beside its successor, and nothing there can fence it. One that
 * is begun under a fresh lease and ends before that is over leaves no such overlap.
 */
@FunctionalInterface
public interface TimeBound {

  /**
   * The longest that the handler works on a delivery after it has last looked at its lease: when it
   * is called, or at {@link Attempt#isHeld} or {@link Attempt#trustLeft}; always the same.
   */
  Duration longest();
}

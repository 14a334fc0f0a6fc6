package dev.fencedoutbox.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that a test moves, for {@link dev.fencedoutbox.relay.RelayBuilder#nanoClock}
 * and {@link dev.fencedoutbox.lease.Leases#withNanoClock}. It moves what a worker believes; the
 * database's clock, which decides, goes on by itself, and {@link LeaseMover} moves its deadlines.
 *
 * <p>Thread-safe.
 */
public final class ManualClock implements LongSupplier {

  private final AtomicLong nanos = new AtomicLong();

  /** One that stands at zero. */
  public ManualClock() {}

  /**
   * Lets that time pass.
   *
   * @throws IllegalArgumentException if it is negative: a monotonic clock never goes back
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "A monotonic clock cannot go back and was to move by %s. It was not moved."
              .formatted(time));
    }
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public long getAsLong() {
    return nanos.get();
  }
}

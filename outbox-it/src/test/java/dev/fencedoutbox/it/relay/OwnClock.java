package dev.fencedoutbox.it.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that a test moves on. */
final class OwnClock implements LongSupplier {

  private final AtomicLong nanos = new AtomicLong(1_000_000_000);

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public long getAsLong() {
    return nanos.get();
  }
}

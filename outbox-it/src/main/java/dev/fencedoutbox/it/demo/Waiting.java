package dev.fencedoutbox.it.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for named conditions, not for ever. */
final class Waiting {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long POLL_MILLIS = 20;

  private Waiting() {}

  /**
   * Returns once {@code condition} holds.
   *
   * @param otherwise what to say if it does not, such as "relay-1 did not start"
   * @throws Stalled after {@link #PATIENCE}
   */
  static void until(BooleanSupplier condition, String otherwise) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new Stalled(otherwise);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("The demo was interrupted.", e);
  }
}

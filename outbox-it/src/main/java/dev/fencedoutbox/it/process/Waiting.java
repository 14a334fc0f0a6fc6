package dev.fencedoutbox.it.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for named conditions, not for ever. */
public final class Waiting {

  /** How long {@link #until} waits. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofMillis(20);

  private Waiting() {}

  /**
   * Returns once {@code condition} holds.
   *
   * @param otherwise what to say if it does not, such as "relay-1 did not start"
   * @throws Stalled after {@link #PATIENCE}
   */
  public static void until(BooleanSupplier condition, String otherwise) {
    if (!within(PATIENCE, condition)) {
      throw new Stalled(otherwise);
    }
  }

  /** Returns once {@code condition} holds, or after so long; whether it held. */
  public static boolean within(Duration longest, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > longest.toNanos()) {
        return false;
      }
      pause(POLL);
    }
    return true;
  }

  /** Lets time go by. */
  public static void pause(Duration length) {
    try {
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** For code that cannot go on without what it waited for. */
  public static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted", e);
  }
}

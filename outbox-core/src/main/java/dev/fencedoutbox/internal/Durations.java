package dev.fencedoutbox.internal;

import java.time.Duration;

/** Bounds on durations, checked before anything is sent. */
public final class Durations {

  private Durations() {}

  /**
   * Returns {@code value} if it lies between {@code least} and {@code most}, both included.
   *
   * @throws IllegalArgumentException otherwise
   */
  public static Duration requireBetween(
      String what, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be between %s and %s and is %s. Nothing was sent."
              .formatted(what, least, most, value));
    }
    return value;
  }
}

package dev.fencedoutbox.internal;

import java.time.Duration;

/** Bounds on durations. */
public final class Durations {

  private Durations() {}

  /**
   * Before anything is sent: returns {@code value} if it lies between {@code least} and {@code
   * most}, both included.
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

  /** {@code value}, or the bound that it passes. */
  public static Duration clamp(Duration value, Duration least, Duration most) {
    return value.compareTo(least) < 0 ? least : atMost(value, most);
  }

  /** The shorter one. */
  public static Duration atMost(Duration value, Duration most) {
    return value.compareTo(most) > 0 ? most : value;
  }
}

package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;

/** Bounds on what one call may ask for. */
final class Limits {

  /** The most rows of one call. */
  static final int MOST_ROWS = 10_000;

  /** The rows of one call unless told otherwise. */
  static final int DEFAULT_ROWS = 1_000;

  private Limits() {}

  static int requireRows(String what, int rows) {
    return requireRows(what, rows, MOST_ROWS);
  }

  static int requireRows(String what, int rows, int most) {
    if (rows < 1 || rows > most) {
      throw new IllegalArgumentException(
          "%s must be 1 to %,d and is %,d. Nothing was sent.".formatted(what, most, rows));
    }
    return rows;
  }

  static Duration requireSpread(Duration spread) {
    return Durations.requireBetween("spreadOver", spread, Duration.ZERO, Duration.ofDays(365));
  }
}

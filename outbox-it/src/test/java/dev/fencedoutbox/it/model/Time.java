package dev.fencedoutbox.it.model;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * When something is, by the database's clock in microseconds: between two of its readings as the
 * model foretells it, at one moment as a row shows it.
 */
record Time(long from, long to) {

  /** The due time of what is over. */
  static final Time NEVER = at(micros(Instant.parse("9999-12-31T00:00:00Z")));

  static Time at(long micros) {
    return new Time(micros, micros);
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000;
  }

  Time plus(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return new Time(from + micros, to + micros);
  }

  /** Whether it has come by then; the model must never have to guess. */
  boolean isOverAt(Time now) {
    if (to <= now.from) {
      return true;
    }
    if (from >= now.to) {
      return false;
    }
    throw new IllegalStateException("The model cannot tell whether " + this + " is over at " + now);
  }

  /** The later of both. */
  Time orLater(Time other) {
    return new Time(Math.max(from, other.from), Math.max(to, other.to));
  }

  boolean includes(Time seen) {
    return from <= seen.from && seen.to <= to;
  }

  @Override
  public String toString() {
    if (equals(NEVER)) {
      return "never";
    }
    return from == to ? instant(from) : instant(from) + ".." + instant(to);
  }

  /** As a bind value. */
  OffsetDateTime toOffset() {
    return Instant.EPOCH.plus(from, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private static String instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}

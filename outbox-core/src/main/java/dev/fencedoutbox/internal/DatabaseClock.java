package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * The database's clocks, the only ones that decide anything. Neither is {@code now()}, which stands
 * still from the start of the transaction.
 */
public final class DatabaseClock {

  private DatabaseClock() {}

  /**
   * The time at which the statement arrived. It does not move while the statement runs, so an index
   * range can end at it.
   */
  public static Field<OffsetDateTime> statementTimestamp() {
    return function(systemName("statement_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);
  }

  /** The time at which the expression is evaluated, also after a wait for a row lock. */
  public static Field<OffsetDateTime> clockTimestamp() {
    return function(systemName("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);
  }

  /** {@link #clockTimestamp()} plus {@code delay}. */
  public static Field<OffsetDateTime> clockTimestampPlus(Duration delay) {
    return clockTimestampPlus(interval(delay));
  }

  /**
   * A duration in the text of ISO 8601, whose largest unit is the hour, as an interval. One of
   * days, which jOOQ would send, follows the calendar of the session's time zone, in which a day
   * may have 23 hours.
   */
  public static Field<DayToSecond> interval(Field<String> duration) {
    return duration.cast(SQLDataType.INTERVALDAYTOSECOND);
  }

  /** The same of a value. */
  public static Field<DayToSecond> interval(Duration duration) {
    return interval(val(duration.toString()));
  }

  /** {@link #clockTimestamp()} plus an interval that the statement itself brings along. */
  public static Field<OffsetDateTime> clockTimestampPlus(Field<DayToSecond> delay) {
    return clockTimestamp().add(delay);
  }

  /**
   * The time that never comes. PostgreSQL has {@code infinity} for it, on which jOOQ fails when it
   * reads the row.
   */
  public static Field<OffsetDateTime> never() {
    return inline(OffsetDateTime.of(9999, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC));
  }
}

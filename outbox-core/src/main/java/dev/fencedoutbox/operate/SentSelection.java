package dev.fencedoutbox.operate;

import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.internal.Texts;
import java.time.OffsetDateTime;
import org.jooq.Condition;

/**
 * Messages of a topic by the time at which they were last delivered on a channel; and how many of
 * them at most, the oldest first.
 *
 * <p>Immutable and thread-safe.
 */
@CheckReturnValue
public final class SentSelection {

  private static final int FIRST_YEAR = 1;
  private static final int LAST_YEAR = 9_999;

  private final String topic;
  private final OffsetDateTime from;
  private final OffsetDateTime until;
  private final int limit;

  private SentSelection(String topic, OffsetDateTime from, OffsetDateTime until, int limit) {
    this.topic = topic;
    this.from = from;
    this.until = until;
    this.limit = limit;
  }

  /**
   * Those of the topic of that name last delivered at {@code from} or later and before {@code
   * until}, by the database's clock; {@value Limits#DEFAULT_ROWS} at most. A message that is
   * delivered again leaves the range, so the same call brings the next ones.
   *
   * @throws IllegalArgumentException if the range is empty, or outside the years 1 to 9999
   */
  public static SentSelection topic(String name, OffsetDateTime from, OffsetDateTime until) {
    Texts.requireName("A topic's name", name);
    if (from.getYear() < FIRST_YEAR || until.getYear() > LAST_YEAR || !from.isBefore(until)) {
      throw new IllegalArgumentException(
          "The range from %s until %s is empty or outside the years %d to %d. Nothing was sent."
              .formatted(from, until, FIRST_YEAR, LAST_YEAR));
    }
    return new SentSelection(name, from, until, Limits.DEFAULT_ROWS);
  }

  /**
   * The same with another bound on the rows of one call.
   *
   * @param rows 1 to {@value KeyLocks#MAX_KEYS}, since each may take the lock of another key
   */
  public SentSelection upTo(int rows) {
    return new SentSelection(
        topic, from, until, Limits.requireRows("upTo", rows, KeyLocks.MAX_KEYS));
  }

  int limit() {
    return limit;
  }

  Condition condition() {
    return MESSAGE
        .TOPIC
        .eq(topic)
        .and(RECEIPT.DELIVERED_AT.ge(val(from, RECEIPT.DELIVERED_AT)))
        .and(RECEIPT.DELIVERED_AT.lt(val(until, RECEIPT.DELIVERED_AT)));
  }
}

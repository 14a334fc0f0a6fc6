package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Rendered;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * How many rows a claim takes: a literal that the planner sees, or a value that it does not see and
 * the most that this can be. Of a limit that is no literal it would expect a tenth of the table,
 * and sort that instead of walking the index; so one that is stands around it.
 *
 * @param rows the limit itself
 * @param most the most that it can be
 * @param hidden whether the planner does not see it
 */
record RowLimit(Field<Integer> rows, int most, boolean hidden) {

  static final String PLACEHOLDER = "row_limit";

  /** The same each time. */
  static RowLimit of(int limit) {
    return new RowLimit(inline(limit), limit, false);
  }

  /** Another one each time, so that the text is the same. */
  static RowLimit upTo(int most) {
    return new RowLimit(Rendered.hiddenPlaceholder(PLACEHOLDER, SQLDataType.INTEGER), most, true);
  }

  /** For the {@link #PLACEHOLDER}. */
  Param<Integer> value(int limit) {
    if (limit < 1 || limit > most) {
      throw new IllegalArgumentException(
          "This claim takes 1 to %d rows and was asked for %d. Nothing was sent."
              .formatted(most, limit));
    }
    return val(limit, SQLDataType.INTEGER);
  }

  /** A query that has {@link #rows} as its limit, as the planner is to see it. */
  <R extends Record> Select<R> seen(Select<R> limited, String name) {
    return hidden ? selectFrom(limited.asTable(name)).limit(inline(most)) : limited;
  }
}

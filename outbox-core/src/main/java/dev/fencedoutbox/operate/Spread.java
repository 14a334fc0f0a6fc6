package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.DatabaseClock.clockTimestampPlus;
import static dev.fencedoutbox.internal.DatabaseClock.interval;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** Due times spread evenly over a while, in the order of the rows' keys. */
final class Spread {

  private static final Field<Integer> PLACE = inline(0).as("place");
  private static final Field<Integer> PLACES = inline(0).as("places");

  private Spread() {}

  /** The rows of {@code chosen}, each with its place among them. */
  static CommonTableExpression<Record> placed(Table<?> chosen, Field<?> key) {
    List<Field<?>> fields = new ArrayList<>(List.of(chosen.fields()));
    fields.add(rowNumber().over().orderBy(column(chosen, key)).minus(inline(1)).as(PLACE));
    fields.add(count().over().as(PLACES));
    return name("placed_rows").asMaterialized(select(fields).from(chosen));
  }

  /** When a row is due: at once in the first place, and shortly before the end in the last. */
  static Field<OffsetDateTime> dueAt(Table<?> placed, Duration over) {
    Field<Double> share =
        column(placed, PLACE).cast(SQLDataType.DOUBLE).div(column(placed, PLACES));
    return clockTimestampPlus(interval(over).mul(share));
  }
}

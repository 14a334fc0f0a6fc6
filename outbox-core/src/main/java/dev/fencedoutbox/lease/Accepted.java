package dev.fencedoutbox.lease;

import java.util.List;
import java.util.Objects;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/**
 * The leased row as a fenced effect sees it: one row if the lease held, none otherwise.
 *
 * <p>For the thread that builds the effect.
 *
 * @param <K> the type of the leased table's key
 */
public final class Accepted<K> {

  private final CommonTableExpression<Record> rows;
  private final Field<K> key;
  private final List<Field<?>> exposed;
  private boolean readFrom;

  Accepted(CommonTableExpression<Record> rows, Field<K> key, List<Field<?>> exposed) {
    this.rows = rows;
    this.key = key;
    this.exposed = exposed;
  }

  /** What the effect must read from. */
  public Table<Record> table() {
    readFrom = true;
    return rows;
  }

  /** Whether the effect asked for {@link #table()}. */
  boolean isReadFrom() {
    return readFrom;
  }

  /** The key of the leased row. */
  public Field<K> key() {
    return column(key);
  }

  /**
   * Another column of the leased row: where the row stays under a final status, as it is now, else
   * as it was.
   *
   * @throws IllegalArgumentException if the table does not expose it
   */
  public <T> Field<T> get(Field<T> column) {
    if (!column.equals(key) && !exposed.contains(column)) {
      throw new IllegalArgumentException(
          "Column %s is not exposed to fenced effects. Nothing was sent. Add it with LeaseTable.exposing(...)."
              .formatted(column));
    }
    return column(column);
  }

  CommonTableExpression<Record> rows() {
    return rows;
  }

  private <T> Field<T> column(Field<T> column) {
    return Objects.requireNonNull(rows.field(column), () -> "no column " + column);
  }
}

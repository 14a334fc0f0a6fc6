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
 * <p>Immutable and thread-safe.
 *
 * @param <K> the type of the leased table's key
 */
public final class Accepted<K> {

  private final CommonTableExpression<Record> rows;
  private final Field<K> key;
  private final List<Field<?>> exposed;

  Accepted(CommonTableExpression<Record> rows, Field<K> key, List<Field<?>> exposed) {
    this.rows = rows;
    this.key = key;
    this.exposed = exposed;
  }

  /** What the effect reads from. */
  public Table<Record> table() {
    return rows;
  }

  /** The key of the leased row. */
  public Field<K> key() {
    return column(key);
  }

  /**
   * Another column of the leased row, as it was accepted.
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

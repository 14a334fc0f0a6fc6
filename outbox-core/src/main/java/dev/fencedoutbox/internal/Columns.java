package dev.fencedoutbox.internal;

import java.util.Map;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Table;

/** A table's columns as another relation of the statement has them. */
public final class Columns {

  private Columns() {}

  /** The column of {@code relation} that comes from {@code column}. */
  public static <T> Field<T> column(Table<?> relation, Field<T> column) {
    return Objects.requireNonNull(relation.field(column), () -> "no column " + column);
  }

  /** A value for a column; typed, so that a column of another type breaks compilation. */
  public static <T> void put(Map<Field<?>, Field<?>> values, Field<T> column, Field<T> value) {
    values.put(column, value);
  }
}

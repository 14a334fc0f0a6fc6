package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.val;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * Java values as SQL: plain binds for one item, and for many the rows of parallel arrays, so that
 * the text of a statement does not depend on how many there are, and no limit on binds applies.
 *
 * @param source what to select from, or null for plain binds
 */
public record Binds(@Nullable Table<?> source, List<Field<?>> fields) {

  /** One value of each item, and its name among the columns of {@link #source}. */
  public record Column<T, V>(String name, DataType<V> type, Function<T, @Nullable V> value) {

    Field<V> bind(T item) {
      return val(value.apply(item), type);
    }

    /** The values of all items as one array. */
    public Field<V[]> array(List<T> items) {
      @SuppressWarnings("unchecked") // an array of the data type's own class
      V[] values = (V[]) Array.newInstance(type.getType(), items.size());
      for (int i = 0; i < values.length; i++) {
        Array.set(values, i, value.apply(items.get(i)));
      }
      return val(values, type.getArrayDataType());
    }

    private Field<V> unnested(List<T> items) {
      return function(systemName("unnest"), type, array(items)).as(name);
    }
  }

  /** A duration, which jOOQ cannot send in an array, as the text of an interval. */
  public static <T> Column<T, String> interval(String name, Function<T, Duration> value) {
    return new Column<>(
        name, SQLDataType.CLOB, item -> DayToSecond.valueOf(value.apply(item)).toString());
  }

  /** The interval of such a column. */
  public Field<DayToSecond> getInterval(int index, Column<?, String> column) {
    return get(index, column).cast(SQLDataType.INTERVALDAYTOSECOND);
  }

  /**
   * The values of all items.
   *
   * @param items one or more
   */
  public static <T> Binds of(String alias, List<T> items, List<Column<T, ?>> columns) {
    return items.size() == 1
        ? new Binds(
            null, columns.stream().<Field<?>>map(column -> column.bind(items.get(0))).toList())
        : rows(alias, items, columns);
  }

  private static <T> Binds rows(String alias, List<T> items, List<Column<T, ?>> columns) {
    // Set-returning functions in one select list advance in step; jOOQ has no unnest of many arrays
    Table<?> source =
        select(columns.stream().map(column -> column.unnested(items)).toList()).asTable(alias);
    List<Field<?>> fields = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      fields.add(Objects.requireNonNull(source.field(i, columns.get(i).type())));
    }
    return new Binds(source, fields);
  }

  /** The value of the column at {@code index}, which is {@code column}. */
  @SuppressWarnings("unchecked") // each field has its column's type
  public <V> Field<V> get(int index, Column<?, V> column) {
    return (Field<V>) fields.get(index);
  }
}

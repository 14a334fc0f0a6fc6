package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.val;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
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

    /** What {@link Binds#of} sends of these items, one or more. */
    public Field<?> sentOf(List<T> items) {
      return items.size() == 1 ? bind(items.get(0)) : sent(items);
    }

    /** The values of all items as one array. */
    public Param<V[]> array(List<T> items) {
      @SuppressWarnings("unchecked") // an array of the data type's own class
      V[] values = (V[]) Array.newInstance(type.getType(), items.size());
      for (int i = 0; i < values.length; i++) {
        Array.set(values, i, value.apply(items.get(i)));
      }
      return val(values, type.getArrayDataType());
    }

    /** The values of all items as they travel. */
    public Param<?> sent(List<T> items) {
      return asSent().array(items);
    }

    /** The type of {@link #sent}. */
    public DataType<?> sentType() {
      return asSent().type().getArrayDataType();
    }

    private Field<?> placeholder(String alias, DataType<?> sent) {
      return Rendered.placeholder(placeholderName(alias), sent);
    }

    /** The name that stands for it in {@link Binds#placeholders}. */
    public String placeholderName(String alias) {
      return alias + "." + name;
    }

    private Field<?> unnested(Field<?> sent) {
      return function(systemName("unnest"), asSent().type(), sent).as(name);
    }

    /** How the value travels in an array: jOOQ garbles empty bytes there. */
    private Column<T, ?> asSent() {
      return type.getType() == byte[].class ? base64() : this;
    }

    private Column<T, String> base64() {
      return new Column<>(
          name,
          SQLDataType.CLOB,
          item -> {
            @Nullable V bytes = value.apply(item);
            return bytes == null ? null : Base64.getEncoder().encodeToString((byte[]) bytes);
          });
    }

    private Field<V> arrived(Table<?> source, int index) {
      if (type.getType() == byte[].class) {
        return function(systemName("decode"), type, text(source, index), inline("base64"));
      }
      return Objects.requireNonNull(source.field(index, type));
    }

    private static Field<String> text(Table<?> source, int index) {
      return Objects.requireNonNull(source.field(index, SQLDataType.CLOB));
    }
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
        : rows(alias, columns, column -> column.sent(items));
  }

  /**
   * The same with a placeholder for all that is sent.
   *
   * @param many whether there is more than one item
   */
  public static <T> Binds placeholders(String alias, boolean many, List<Column<T, ?>> columns) {
    return many
        ? rows(alias, columns, column -> column.placeholder(alias, column.sentType()))
        : new Binds(
            null,
            columns.stream()
                .<Field<?>>map(column -> column.placeholder(alias, column.type()))
                .toList());
  }

  /** The rows of any parallel arrays. */
  public static <T> Binds rows(
      String alias, List<Column<T, ?>> columns, Function<Column<T, ?>, Field<?>> array) {
    // Set-returning functions in one select list advance in step; jOOQ has no unnest of many arrays
    Table<?> source =
        select(columns.stream().map(column -> column.unnested(array.apply(column))).toList())
            .asTable(alias);
    List<Field<?>> fields = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      fields.add(columns.get(i).arrived(source, i));
    }
    return new Binds(source, fields);
  }

  /** The value of the column at {@code index}, which is {@code column}. */
  @SuppressWarnings("unchecked") // each field has its column's type
  public <V> Field<V> get(int index, Column<?, V> column) {
    return (Field<V>) fields.get(index);
  }

  /** {@link #source}, if there is one. */
  public List<Table<?>> sources() {
    return source == null ? List.of() : List.of(source);
  }

  /** The column at {@code index} as an order of the rows; none for plain binds. */
  public List<Field<?>> order(int index, Column<?, ?> column) {
    return source == null ? List.of() : List.of(get(index, column));
  }
}

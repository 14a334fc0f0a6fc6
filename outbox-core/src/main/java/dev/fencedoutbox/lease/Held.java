package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.rowsFrom;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The leases that a guarded write is about, as SQL: plain binds for one, and for many the rows of
 * parallel arrays, so that the text of the statement does not depend on how many there are.
 *
 * @param source what to join, or null for plain binds
 * @param more further values per lease, in the order in which they were given
 */
record Held<K>(@Nullable Table<?> source, Field<K> key, Field<Long> epoch, List<Field<?>> more) {

  /** A value that each item brings along, such as the error of its attempt. */
  record Column<T, V>(DataType<V> type, Function<T, V> value) {

    Field<V> bind(T item) {
      return val(value.apply(item), type);
    }

    Table<?> array(List<T> items) {
      return unnest(values(items));
    }

    Field<V[]> values(List<T> items) {
      @SuppressWarnings("unchecked") // an array of the data type's own class
      V[] values = (V[]) Array.newInstance(type.getType(), items.size());
      for (int i = 0; i < values.length; i++) {
        values[i] = value.apply(items.get(i));
      }
      return val(values, type.getArrayDataType());
    }
  }

  static <K> Held<K> of(List<Lease<K>> leases) {
    return of(leases, lease -> lease, List.of());
  }

  /** One item or more, each about a lease of the same table. */
  static <K, T> Held<K> of(
      List<T> items, Function<T, Lease<K>> leaseOf, List<Column<T, ?>> more) {
    LeaseColumns<K> columns = leaseOf.apply(items.get(0)).table().columns();
    List<Column<T, ?>> all = new ArrayList<>();
    all.add(new Column<>(columns.key().getDataType(), item -> leaseOf.apply(item).key()));
    all.add(
        new Column<>(columns.epoch().getDataType(), item -> leaseOf.apply(item).epoch().value()));
    all.addAll(more);
    return items.size() == 1
        ? of(null, all.stream().<Field<?>>map(column -> column.bind(items.get(0))).toList())
        : many(all, sorted(items, Comparator.comparing(i -> leaseOf.apply(i).key(), columns.keyOrder())));
  }

  private static <K, T> Held<K> many(List<Column<T, ?>> columns, List<T> items) {
    List<String> names = new ArrayList<>(List.of("row_key", "epoch"));
    for (int i = 2; i < columns.size(); i++) {
      names.add("value_" + (i - 1));
    }
    Table<?> held =
        rowsFrom(columns.stream().map(column -> column.array(items)).toArray(Table<?>[]::new))
            .as("held", names.toArray(String[]::new));
    List<Field<?>> fields = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      fields.add(Objects.requireNonNull(held.field(i, columns.get(i).type())));
    }
    return of(held, fields);
  }

  @SuppressWarnings("unchecked") // the first two are the key and the epoch
  private static <K> Held<K> of(@Nullable Table<?> source, List<Field<?>> fields) {
    return new Held<>(
        source,
        (Field<K>) fields.get(0),
        (Field<Long>) fields.get(1),
        fields.subList(2, fields.size()));
  }

  /** By key, so that writers of overlapping batches tend to lock rows in the same order. */
  private static <T> List<T> sorted(List<T> items, Comparator<T> order) {
    return items.stream().sorted(order).toList();
  }

  /** The {@code index}-th further value. */
  @SuppressWarnings("unchecked") // each was built with its column's type
  <V> Field<V> more(int index, Column<?, V> column) {
    return (Field<V>) more.get(index);
  }
}

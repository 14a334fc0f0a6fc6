package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.internal.Rendered;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The leases that a guarded write is about, as SQL.
 *
 * @param source what to join, or null for plain binds
 * @param binds the key, the epoch, and what else each lease brings along
 */
record Held<K>(@Nullable Table<?> source, Field<K> key, Field<Long> epoch, Binds binds) {

  private static final String SOURCE = "held_leases";
  private static final String KEY = "row_key";
  private static final String EPOCH = "epoch";
  private static final int KEY_AND_EPOCH = 2;

  /** The names in {@link #placeholders}. */
  static final List<String> PLACEHOLDERS = List.of(KEY, EPOCH);

  static <K> Held<K> of(List<Lease<K>> leases) {
    return of(leases, lease -> lease, List.of());
  }

  /** One item or more, each about a lease of the same table. */
  static <K, T> Held<K> of(List<T> items, Function<T, Lease<K>> leaseOf, List<Column<T, ?>> more) {
    LeaseColumns<K> columns = leaseOf.apply(items.get(0)).table().columns();
    Column<T, K> key = key(columns, leaseOf);
    Column<T, Long> epoch = epoch(columns, leaseOf);
    List<Column<T, ?>> all = new ArrayList<>(List.of(key, epoch));
    all.addAll(more);
    return of(Binds.of(SOURCE, inKeyOrder(items, leaseOf, columns), all), key, epoch);
  }

  /** Two leases or more, whose keys and epochs are two placeholders. */
  static <K> Held<K> placeholders(LeaseColumns<K> columns) {
    Column<Lease<K>, K> key = key(columns, lease -> lease);
    Column<Lease<K>, Long> epoch = epoch(columns, lease -> lease);
    return of(
        Binds.rows(
            SOURCE,
            List.of(key, epoch),
            column -> Rendered.hiddenPlaceholder(column.name(), column.sentType())),
        key,
        epoch);
  }

  /** What to send in their places. */
  static <K> List<Param<?>> values(LeaseColumns<K> columns, List<Lease<K>> leases) {
    List<Lease<K>> sorted = inKeyOrder(leases, lease -> lease, columns);
    return List.of(
        key(columns, (Lease<K> lease) -> lease).sent(sorted),
        epoch(columns, (Lease<K> lease) -> lease).sent(sorted));
  }

  private static <K, T> Held<K> of(Binds binds, Column<T, K> key, Column<T, Long> epoch) {
    return new Held<>(binds.source(), binds.get(0, key), binds.get(1, epoch), binds);
  }

  private static <K, T> Column<T, K> key(LeaseColumns<K> columns, Function<T, Lease<K>> leaseOf) {
    return new Column<>(KEY, columns.key().getDataType(), i -> leaseOf.apply(i).key());
  }

  private static <K, T> Column<T, Long> epoch(
      LeaseColumns<K> columns, Function<T, Lease<K>> leaseOf) {
    return new Column<>(
        EPOCH, columns.epoch().getDataType(), i -> leaseOf.apply(i).epoch().value());
  }

  /** So that writers of overlapping batches tend to lock rows in the same order. */
  private static <K, T> List<T> inKeyOrder(
      List<T> items, Function<T, Lease<K>> leaseOf, LeaseColumns<K> columns) {
    Comparator<T> byKey = Comparator.comparing(i -> leaseOf.apply(i).key(), columns.keyOrder());
    return items.stream().sorted(byKey).toList();
  }

  /** The {@code index}-th of the further columns. */
  <V> Field<V> more(int index, Column<?, V> column) {
    return binds.get(KEY_AND_EPOCH + index, column);
  }
}

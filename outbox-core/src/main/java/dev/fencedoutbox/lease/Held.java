package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * The leases that a guarded write is about, as SQL.
 *
 * @param source what to join, or null for plain binds
 * @param binds the key, the epoch, and what else each lease brings along
 */
record Held<K>(@Nullable Table<?> source, Field<K> key, Field<Long> epoch, Binds binds) {

  private static final int KEY_AND_EPOCH = 2;

  static <K> Held<K> of(List<Lease<K>> leases) {
    return of(leases, lease -> lease, List.of());
  }

  /** One item or more, each about a lease of the same table. */
  static <K, T> Held<K> of(List<T> items, Function<T, Lease<K>> leaseOf, List<Column<T, ?>> more) {
    LeaseColumns<K> columns = leaseOf.apply(items.get(0)).table().columns();
    Column<T, K> key =
        new Column<>("row_key", columns.key().getDataType(), i -> leaseOf.apply(i).key());
    Column<T, Long> epoch =
        new Column<>("epoch", columns.epoch().getDataType(), i -> leaseOf.apply(i).epoch().value());
    List<Column<T, ?>> all = new ArrayList<>(List.of(key, epoch));
    all.addAll(more);
    // By key, so that writers of overlapping batches tend to lock rows in the same order
    Comparator<T> byKey = Comparator.comparing(i -> leaseOf.apply(i).key(), columns.keyOrder());
    Binds binds = Binds.of("held_leases", items.stream().sorted(byKey).toList(), all);
    return new Held<>(binds.source(), binds.get(0, key), binds.get(1, epoch), binds);
  }

  /** The {@code index}-th of the further columns. */
  <V> Field<V> more(int index, Column<?, V> column) {
    return binds.get(KEY_AND_EPOCH + index, column);
  }
}

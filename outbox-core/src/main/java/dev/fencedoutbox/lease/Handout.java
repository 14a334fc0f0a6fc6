package dev.fencedoutbox.lease;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** What a claim hands out with each lease, and the table it joins for that. */
record Handout<V>(
    @Nullable Table<?> joined,
    @Nullable Condition on,
    List<Field<?>> fields,
    Function<? super Record, ? extends V> mapper) {

  /** The table's own row. */
  static <R extends Record> Handout<R> ofRow(Table<R> table) {
    return new Handout<>(null, null, List.of(table.fields()), row -> row.into(table));
  }

  static <V> Handout<V> of(
      @Nullable Table<?> joined,
      @Nullable Condition on,
      Collection<? extends Field<?>> fields,
      Function<? super Record, ? extends V> mapper) {
    return new Handout<>(joined, on, List.copyOf(fields), mapper);
  }
}

package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.CheckReturnValue;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * A table of which the rows of one ordering key are leased in the order of their keys, one run at a
 * time across all claimers: nobody can claim a row of an ordering key while an earlier one of it is
 * leased, waits or is DEAD.
 *
 * <p>What the table needs besides what a {@link LeaseTable} needs: an index on (the columns that
 * the scope fixes, the ordering key, the key), a text ordering key under {@code COLLATE "C"} that
 * is never empty, and keys that grow in commit order within an ordering key, as the outbox's
 * enqueue takes care of. The columns of the scope and the ordering key of a row must not change
 * while a claim could take it: the ordered claim looks at them before it locks the row.
 *
 * <p>Its leases are used with {@link Leases} like any others. Work through the rows of one ordering
 * key in the order in which they were claimed; when one fails, retry it and release the rows after
 * it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <K> the type of the key
 * @param <V> what a claim hands out with each lease
 */
@CheckReturnValue
public final class OrderedTable<K, V> {

  private final LeaseTable<K, V> table;
  private final Field<String> orderingKey;

  OrderedTable(LeaseTable<K, V> table, Field<String> orderingKey) {
    this.table = table;
    this.orderingKey = orderingKey;
  }

  /** The same table, of which only rows that meet {@code condition} exist; it must fix columns. */
  public OrderedTable<K, V> where(Condition condition) {
    return new OrderedTable<>(table.where(condition), orderingKey);
  }

  /** The table, whatever the order. */
  public LeaseTable<K, V> table() {
    return table;
  }

  Field<String> orderingKey() {
    return orderingKey;
  }
}

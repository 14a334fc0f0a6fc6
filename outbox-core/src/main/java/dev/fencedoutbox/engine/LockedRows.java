package dev.fencedoutbox.engine;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.lease.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Table;
import org.jooq.TableField;

/** Rows that somebody else has locked: found without waiting, while all others are locked. */
final class LockedRows {

  private final TableField<?, Long> key;

  /** Of the table that has this key. */
  LockedRows(TableField<?, Long> key) {
    this.key = key;
  }

  /**
   * Locks, to the end of the transaction, what can be locked now, and returns the keys of the rest.
   * A row that is gone is not among them. Guards are checked by the write that follows.
   */
  Set<Long> among(DSLContext tx, List<Lease<Long>> leases) {
    DSLContext context = HostContext.of(tx);
    Set<Long> missing = new HashSet<>(leases.stream().map(Lease::key).toList());
    missing.removeAll(
        context
            .select(key)
            .from(table())
            .where(isOneOf(missing))
            .orderBy(key)
            .forUpdate()
            .skipLocked()
            .fetchSet(key));
    return missing.isEmpty()
        ? missing
        : context.select(key).from(table()).where(isOneOf(missing)).fetchSet(key);
  }

  private Table<?> table() {
    return Objects.requireNonNull(key.getTable());
  }

  private Condition isOneOf(Set<Long> keys) {
    return key.eq(any(val(keys.toArray(Long[]::new))));
  }
}

package dev.fencedoutbox.relay;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.lease.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** Rows that somebody else has locked: found without waiting, while all others are locked. */
final class LockedRows {

  private LockedRows() {}

  /**
   * Locks, to the end of the transaction, what can be locked now, and returns the keys of the rest.
   * A row that is gone is not among them. Guards are checked by the write that follows.
   */
  static Set<Long> among(DSLContext tx, List<Lease<Long>> leases) {
    DSLContext context = HostContext.of(tx);
    Set<Long> missing = new HashSet<>(leases.stream().map(Lease::key).toList());
    missing.removeAll(
        context
            .select(DELIVERY.ID)
            .from(DELIVERY)
            .where(isOneOf(missing))
            .orderBy(DELIVERY.ID)
            .forUpdate()
            .skipLocked()
            .fetchSet(DELIVERY.ID));
    return missing.isEmpty()
        ? missing
        : context.select(DELIVERY.ID).from(DELIVERY).where(isOneOf(missing)).fetchSet(DELIVERY.ID);
  }

  private static Condition isOneOf(Set<Long> keys) {
    return DELIVERY.ID.eq(any(val(keys.toArray(Long[]::new))));
  }
}

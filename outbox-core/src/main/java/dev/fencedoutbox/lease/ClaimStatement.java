package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.with;

import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jooq.UpdateSetMoreStep;
import org.jooq.UpdateWhereStep;

/**
 * A claim as a detached value: the statement, and how its rows become leases. Run {@link #query()}
 * by any means, and give its rows to {@link #read}.
 *
 * <p>Immutable; {@code query()} is for one thread at a time, as jOOQ's statements are.
 *
 * @param <K> the type of the table's key
 * @param <V> what is handed out with each lease
 */
public final class ClaimStatement<K, V> {

  private final ClaimedRows<K, V> rows;
  private final ResultQuery<Record> query;

  /**
   * The update is the outermost statement: a setting that cuts what a SELECT returns, such as a
   * host's {@code maxRows}, would otherwise lose rows that were claimed.
   */
  ClaimStatement(
      LeaseTable<K, V> table, ClaimTerms terms, String owner, Condition which, RowLimit limit) {
    LeaseColumns<K> columns = table.columns();
    LeaseSql<K> sql = new LeaseSql<>(columns);
    CommonTableExpression<Record2<K, Boolean>> claimable =
        sql.claimableRows(table.scope().and(which), limit);
    this.rows = new ClaimedRows<>(table, terms, sql.reclaimedFrom(claimable));
    UpdateSetMoreStep<?> update =
        with(claimable).update(columns.table()).set(sql.claim(terms, owner));
    Handout<V> handout = table.handout();
    UpdateWhereStep<?> joined = handout.joined() == null ? update : update.from(handout.joined());
    this.query =
        joined
            .where(sql.among(claimable))
            .and(handout.on() == null ? noCondition() : handout.on())
            .returningResult(rows.fields());
  }

  /** The statement, attached to nothing. */
  public ResultQuery<Record> query() {
    return query;
  }

  /**
   * The claims in the rows that the statement returned, in key order.
   *
   * @param sentNanos the local monotonic clock, read before the statement was sent
   */
  public Claims<K, V> read(Iterable<? extends Record> returned, long sentNanos) {
    return rows.inKeyOrder(rows.read(returned, sentNanos));
  }
}

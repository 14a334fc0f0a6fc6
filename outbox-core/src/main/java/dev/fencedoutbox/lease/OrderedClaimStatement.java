package dev.fencedoutbox.lease;

import static dev.fencedoutbox.internal.Columns.column;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.withRecursive;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.UpdateSetMoreStep;
import org.jooq.UpdateWhereStep;

/**
 * An ordered claim as a detached value: the statement, and how its rows become leases. It must not
 * be run under a setting that cuts the result of a SELECT, such as {@code maxRows}: what is cut is
 * claimed all the same.
 *
 * <p>Immutable; {@code query()} is for one thread at a time, as jOOQ's statements are.
 *
 * @param <K> the type of the table's key
 * @param <V> what is handed out with each lease
 */
public final class OrderedClaimStatement<K, V> {

  private final KeyWalk walk;
  private final ClaimedRows<K, V> rows;
  private final Field<String> walkKey;
  private final Field<K> claimedKey;
  private final ResultQuery<Record> query;

  OrderedClaimStatement(OrderedTable<K, V> ordered, ClaimTerms terms, String owner, KeyWalk walk) {
    this(
        ordered,
        terms,
        owner,
        walk,
        val(walk.after(), ordered.orderingKey()),
        RowLimit.of(walk.limit()));
  }

  /** For any walk with runs of that length: its start and its limit come with each claim. */
  OrderedClaimStatement(
      OrderedTable<K, V> ordered,
      ClaimTerms terms,
      String owner,
      KeyWalk walk,
      Field<String> after,
      RowLimit limit) {
    LeaseTable<K, V> table = ordered.table();
    LeaseColumns<K> columns = table.columns();
    OrderedSql<K> sql = new OrderedSql<>(columns, ordered.orderingKey(), table.scope());
    CommonTableExpression<Record> heads = sql.heads(after);
    CommonTableExpression<Record> runs = sql.runs(heads, limit, walk.runLength());
    this.walk = walk;
    LeaseSql<K> leases = new LeaseSql<>(columns);
    this.rows = new ClaimedRows<>(table, terms, leases.reclaimedFrom(runs));
    UpdateSetMoreStep<?> update = update(columns.table()).set(leases.claim(terms, owner));
    Handout<V> handout = table.handout();
    UpdateWhereStep<?> joined = handout.joined() == null ? update : update.from(handout.joined());
    CommonTableExpression<Record> claimed =
        name("claimed_rows")
            .as(
                joined
                    .where(leases.among(runs))
                    .and(handout.on() == null ? noCondition() : handout.on())
                    .returningResult(rows.fields()));
    this.walkKey = column(runs, ordered.orderingKey()).as("walk_key");
    this.claimedKey = column(claimed, columns.key());
    List<Field<?>> returned = new ArrayList<>(List.of(walkKey));
    returned.addAll(List.of(claimed.fields()));
    this.query =
        withRecursive(heads)
            .with(runs)
            .with(claimed)
            .select(returned)
            .from(runs)
            .leftJoin(claimed)
            .on(column(runs, columns.key()).eq(claimedKey))
            .orderBy(column(runs, OrderedSql.POSITION));
  }

  /** The statement, attached to nothing. */
  public ResultQuery<Record> query() {
    return query;
  }

  /**
   * The claims in the rows that the statement returned, in their order.
   *
   * @param sentNanos the local monotonic clock, read before the statement was sent
   */
  public OrderedClaims<K, V> read(List<? extends Record> returned, long sentNanos) {
    return read(returned, sentNanos, walk);
  }

  OrderedClaims<K, V> read(List<? extends Record> returned, long sentNanos, KeyWalk sent) {
    List<? extends Record> taken =
        returned.stream().filter(row -> row.get(claimedKey) != null).toList();
    return new OrderedClaims<>(rows.read(taken, sentNanos), next(returned, sent));
  }

  /** Fewer than asked for: the walk has met the last ordering key. */
  private KeyWalk next(List<? extends Record> returned, KeyWalk sent) {
    return sent.startingAfter(
        returned.size() < sent.limit()
            ? ""
            : Objects.requireNonNull(returned.get(returned.size() - 1).get(walkKey)));
  }
}

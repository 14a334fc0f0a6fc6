package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.with;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.UpdateSetMoreStep;
import org.jooq.UpdateWhereStep;
import org.jspecify.annotations.Nullable;

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

  private final LeaseTable<K, V> table;
  private final LeaseColumns<K> columns;
  private final ClaimTerms terms;
  private final Field<Boolean> buried;
  private final ResultQuery<Record> query;

  /**
   * The update is the outermost statement: a setting that cuts what a SELECT returns, such as a
   * host's {@code maxRows}, would otherwise lose rows that were claimed.
   */
  ClaimStatement(
      LeaseTable<K, V> table, ClaimTerms terms, String owner, Condition which, int limit) {
    this.table = table;
    this.columns = table.columns();
    this.terms = terms;
    this.buried = field(columns.status().isDead()).as("buried");
    LeaseSql<K> sql = new LeaseSql<>(columns);
    CommonTableExpression<Record1<K>> claimable =
        sql.claimableRows(table.scope().and(which), limit);
    UpdateSetMoreStep<?> update =
        with(claimable).update(columns.table()).set(sql.claim(terms, owner));
    Handout<V> handout = table.handout();
    UpdateWhereStep<?> joined = handout.joined() == null ? update : update.from(handout.joined());
    this.query =
        joined
            .where(sql.among(claimable))
            .and(handout.on() == null ? noCondition() : handout.on())
            .returningResult(returned());
  }

  private List<Field<?>> returned() {
    List<Field<?>> fields = new ArrayList<>();
    fields.addAll(
        List.of(columns.key(), columns.epoch(), columns.attempts(), columns.leaseUntil()));
    if (columns.lastError() != null) {
      fields.add(columns.lastError());
    }
    fields.add(buried);
    table.handout().fields().stream().filter(f -> !fields.contains(f)).forEach(fields::add);
    return fields;
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
  public Claims<K, V> read(Iterable<? extends Record> rows, long sentNanos) {
    Lease.Term term = new Lease.Term(terms.leaseFor(), sentNanos);
    List<Claimed<K, V>> claimed = new ArrayList<>();
    List<Buried<K>> dead = new ArrayList<>();
    for (Record row : rows) {
      if (row.get(buried)) {
        dead.add(new Buried<>(row.get(columns.key()), row.get(columns.attempts()), reason(row)));
      } else {
        claimed.add(new Claimed<>(lease(row, term), table.handout().mapper().apply(row)));
      }
    }
    claimed.sort(Comparator.comparing(claim -> claim.lease().key(), columns.keyOrder()));
    dead.sort(Comparator.comparing(Buried::key, columns.keyOrder()));
    return new Claims<>(claimed, dead);
  }

  private Lease<K> lease(Record row, Lease.Term term) {
    return new Lease<>(
        table,
        row.get(columns.key()),
        new Epoch(row.get(columns.epoch())),
        row.get(columns.attempts()),
        row.get(columns.leaseUntil()),
        term);
  }

  private String reason(Record row) {
    @Nullable Field<String> lastError = columns.lastError();
    return lastError == null
        ? LeaseSql.spentReason(terms)
        : Objects.requireNonNull(row.get(lastError));
  }
}

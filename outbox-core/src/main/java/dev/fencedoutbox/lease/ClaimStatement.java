package dev.fencedoutbox.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jspecify.annotations.Nullable;

/**
 * A claim as a detached value: the statement, and how its rows become leases. Run {@link #query()}
 * by any means, and give its rows to {@link #read}.
 *
 * <p>Immutable and thread-safe as long as {@code query()} is run by one thread at a time.
 */
public final class ClaimStatement<K, V> {

  private final LeaseTable<K, V> table;
  private final ClaimTerms terms;
  private final ResultQuery<Record> query;
  private final Field<Boolean> dead;

  ClaimStatement(
      LeaseTable<K, V> table, ClaimTerms terms, ResultQuery<Record> query, Field<Boolean> dead) {
    this.table = table;
    this.terms = terms;
    this.query = query;
    this.dead = dead;
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
    LeaseColumns<K> columns = table.columns();
    Lease.Term term = new Lease.Term(terms.leaseFor(), sentNanos);
    List<Claimed<K, V>> claimed = new ArrayList<>();
    List<Buried<K>> buried = new ArrayList<>();
    for (Record row : rows) {
      if (row.get(dead)) {
        buried.add(new Buried<>(row.get(columns.key()), row.get(columns.attempts()), reason(row)));
      } else {
        claimed.add(new Claimed<>(lease(row, term), table.handout().mapper().apply(row)));
      }
    }
    claimed.sort(Comparator.comparing(c -> c.lease().key(), columns.keyOrder()));
    buried.sort(Comparator.comparing(Buried::key, columns.keyOrder()));
    return new Claims<>(claimed, buried);
  }

  private Lease<K> lease(Record row, Lease.Term term) {
    LeaseColumns<K> columns = table.columns();
    return new Lease<>(
        table,
        row.get(columns.key()),
        new Epoch(row.get(columns.epoch())),
        row.get(columns.attempts()),
        row.get(columns.leaseUntil()),
        term);
  }

  private String reason(Record row) {
    @Nullable Field<String> lastError = table.columns().lastError();
    return lastError == null
        ? LeaseSql.spentReason(terms)
        : Objects.requireNonNull(row.get(lastError));
  }
}

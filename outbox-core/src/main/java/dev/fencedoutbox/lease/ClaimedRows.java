package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.field;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** What the update of a claim returns, and how its rows become leases. */
final class ClaimedRows<K, V> {

  private final LeaseTable<K, V> table;
  private final LeaseColumns<K> columns;
  private final ClaimTerms terms;
  private final Field<Boolean> buried;
  private final Field<Boolean> reclaimed;

  ClaimedRows(LeaseTable<K, V> table, ClaimTerms terms, Condition reclaimed) {
    this.table = table;
    this.columns = table.columns();
    this.terms = terms;
    this.buried = field(columns.status().isDead()).as("buried");
    this.reclaimed = field(reclaimed).as("reclaimed");
  }

  List<Field<?>> fields() {
    List<Field<?>> fields = new ArrayList<>();
    fields.addAll(
        List.of(columns.key(), columns.epoch(), columns.attempts(), columns.leaseUntil()));
    if (columns.lastError() != null) {
      fields.add(columns.lastError());
    }
    fields.add(buried);
    fields.add(reclaimed);
    table.handout().fields().stream().filter(f -> !fields.contains(f)).forEach(fields::add);
    return fields;
  }

  /** In the order of the rows. */
  Claims<K, V> read(Iterable<? extends Record> rows, long sentNanos) {
    Lease.Term term = new Lease.Term(terms.leaseFor(), sentNanos);
    List<Claimed<K, V>> claimed = new ArrayList<>();
    List<Buried<K>> dead = new ArrayList<>();
    for (Record row : rows) {
      if (row.get(buried)) {
        dead.add(new Buried<>(row.get(columns.key()), row.get(columns.attempts()), reason(row)));
      } else {
        claimed.add(
            new Claimed<>(
                lease(row, term), table.handout().mapper().apply(row), row.get(reclaimed)));
      }
    }
    return new Claims<>(claimed, dead);
  }

  Claims<K, V> inKeyOrder(Claims<K, V> claims) {
    return new Claims<>(
        claims.claimed().stream()
            .sorted(Comparator.comparing(claim -> claim.lease().key(), columns.keyOrder()))
            .toList(),
        claims.buried().stream()
            .sorted(Comparator.comparing(Buried::key, columns.keyOrder()))
            .toList());
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

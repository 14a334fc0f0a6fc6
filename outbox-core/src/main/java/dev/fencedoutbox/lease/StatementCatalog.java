package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.SqlText;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.Query;

/** Every statement over a table, as text for people. */
final class StatementCatalog {

  private static final ClaimTerms TERMS = ClaimTerms.leaseFor(Duration.ofSeconds(30));

  private StatementCatalog() {}

  static <K> String of(LeaseTable<K, ?> table, Effect<K> effect) {
    Lease<K> lease = sample(table, 1);
    List<Lease<K>> one = List.of(lease);
    List<Lease<K>> many = List.of(lease, sample(table, 2));
    Map<String, Query> statements = new LinkedHashMap<>();
    statements.put("claim, a batch", LeaseStatements.claim(table, TERMS, "owner", 100).query());
    statements.put(
        "claim, by key", LeaseStatements.claimByKey(table, TERMS, "owner", lease.key()).query());
    statements.put("renew", LeaseStatements.renew(one, TERMS.leaseFor()));
    statements.put("renew, a batch", LeaseStatements.renew(many, TERMS.leaseFor()));
    statements.put("complete", LeaseStatements.complete(one));
    statements.put("complete, a batch", LeaseStatements.complete(many));
    statements.put("retry", LeaseStatements.retry(List.of(retry(lease))));
    statements.put(
        "retry, a batch",
        LeaseStatements.retry(many.stream().map(StatementCatalog::retry).toList()));
    statements.put("release", LeaseStatements.release(one));
    statements.put("release, a batch", LeaseStatements.release(many));
    if (table.columns().dueAt() != null) {
      statements.put("postpone, a batch", LeaseStatements.postpone(many, TERMS.leaseFor()));
    }
    statements.put("bury", LeaseStatements.bury(List.of(new Burial<>(lease, ""))));
    statements.put(
        "bury, a batch",
        LeaseStatements.bury(many.stream().map(l -> new Burial<>(l, "")).toList()));
    statements.put("hold", LeaseStatements.hold(lease));
    statements.put("finish with a fenced effect", LeaseStatements.finish(lease, effect));
    statements.put("apply a fenced effect", LeaseStatements.apply(lease, effect));
    statements.put("standing of refused leases", LeaseStatements.standing(many));
    return SqlText.print(statements);
  }

  private static <K> Retry<K> retry(Lease<K> lease) {
    return new Retry<>(lease, Duration.ZERO, "");
  }

  /** A lease on no row, to render statements with. */
  private static <K> Lease<K> sample(LeaseTable<K, ?> table, int number) {
    Object key =
        table.columns().key().getType() == UUID.class ? new UUID(0, number) : (Object) number;
    return new Lease<>(
        table,
        table.columns().key().getDataType().convert(key),
        new Epoch(1),
        1,
        OffsetDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
        new Lease.Term(TERMS.leaseFor(), 0));
  }
}

package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.KeptTexts;
import dev.fencedoutbox.internal.Rendered;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * An ordered claim that is made again and again on one database: for each length of runs it is
 * built and rendered once, and again when the host's settings have changed.
 *
 * <p>Thread-safe.
 *
 * @param <K> the type of the table's key
 * @param <V> what is handed out with each lease
 */
public final class RepeatedOrderedClaim<K, V> {

  private record Ready<K, V>(OrderedClaimStatement<K, V> statement, Rendered<Record> text) {}

  private static final String AFTER = "walk_after";

  private final Leases leases;
  private final OrderedTable<K, V> ordered;
  private final ClaimTerms terms;
  private final RowLimit limit;
  private final KeptTexts<Integer, Ready<K, V>> texts = new KeptTexts<>();

  RepeatedOrderedClaim(Leases leases, OrderedTable<K, V> ordered, ClaimTerms terms, int most) {
    this.leases = leases;
    this.ordered = ordered;
    this.terms = terms;
    this.limit = RowLimit.upTo(LeaseStatements.requireLimit(most));
  }

  /** As {@link Leases#claimInOrder}. */
  public OrderedClaims<K, V> claim(DSLContext dsl, KeyWalk walk) {
    DSLContext context = Leases.context(dsl, ordered.table());
    Ready<K, V> claim = texts.get(context, walk.runLength(), () -> rendered(context, walk));
    long sentNanos = leases.nanoTime();
    List<Record> returned =
        claim
            .text()
            .fetch(
                context,
                List.of(val(walk.after(), ordered.orderingKey()), limit.value(walk.limit())));
    OrderedClaims<K, V> claims = claim.statement().read(returned, sentNanos, walk);
    Leases.report(ordered.table(), claims.claims().buried());
    return claims;
  }

  private Ready<K, V> rendered(DSLContext context, KeyWalk walk) {
    OrderedClaimStatement<K, V> statement =
        new OrderedClaimStatement<>(
            ordered,
            terms,
            leases.owner(),
            walk,
            Rendered.hiddenPlaceholder(AFTER, ordered.orderingKey().getDataType()),
            limit);
    return new Ready<>(
        statement, Rendered.of(context, statement.query(), List.of(AFTER, RowLimit.PLACEHOLDER)));
  }
}

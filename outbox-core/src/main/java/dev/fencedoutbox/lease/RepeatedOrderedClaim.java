package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Rendered;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * An ordered claim that is made again and again on one database: for each length of runs it is
 * built and rendered once, under the settings that the host has by then.
 *
 * <p>For one thread.
 *
 * @param <K> the type of the table's key
 * @param <V> what is handed out with each lease
 */
public final class RepeatedOrderedClaim<K, V> {

  private record Ready<K, V>(OrderedClaimStatement<K, V> statement, Rendered<Record> text) {}

  private static final String AFTER = "walk_after";
  private static final int MOST_LENGTHS = 64;

  private final Leases leases;
  private final OrderedTable<K, V> ordered;
  private final ClaimTerms terms;
  private final RowLimit limit;
  private final Map<Integer, Ready<K, V>> ready = new HashMap<>();

  RepeatedOrderedClaim(Leases leases, OrderedTable<K, V> ordered, ClaimTerms terms, int most) {
    this.leases = leases;
    this.ordered = ordered;
    this.terms = terms;
    this.limit = RowLimit.upTo(LeaseStatements.requireLimit(most));
  }

  /** As {@link Leases#claimInOrder}. */
  public OrderedClaims<K, V> claim(DSLContext dsl, KeyWalk walk) {
    DSLContext context = Leases.context(dsl, ordered.table());
    Ready<K, V> claim = ready(context, walk);
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

  private Ready<K, V> ready(DSLContext context, KeyWalk walk) {
    Ready<K, V> known = ready.get(walk.runLength());
    if (known != null) {
      return known;
    }
    OrderedClaimStatement<K, V> statement =
        new OrderedClaimStatement<>(
            ordered,
            terms,
            leases.owner(),
            walk,
            Rendered.hiddenPlaceholder(AFTER, ordered.orderingKey().getDataType()),
            limit);
    Ready<K, V> made =
        new Ready<>(
            statement,
            Rendered.of(context, statement.query(), List.of(AFTER, RowLimit.PLACEHOLDER)));
    if (ready.size() == MOST_LENGTHS) {
      ready.clear();
    }
    ready.put(walk.runLength(), made);
    return made;
  }
}

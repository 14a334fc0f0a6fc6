package dev.fencedoutbox.it.model;

import static org.jooq.impl.DSL.noCondition;

import dev.fencedoutbox.it.model.Answer.Grant;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.LeaseTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A worker claims the oldest claimable rows without an ordering key: those whose turn it is and
 * those whose lease is over, so that this is the sweep as well.
 *
 * @param among all of these at the most, or null: any
 * @param floor not those that were due before, as a relay claims between its sweeps, or null
 */
record Claim(String worker, @Nullable Set<Id> among, @Nullable Time floor, int limit, int budget)
    implements Action {

  @Override
  public Answer inModel(World world, Time now) {
    List<Row> oldest =
        world.rows(row -> row.key() == null && isAsked(row) && world.mayClaim(row, now)).stream()
            .sorted(
                Comparator.comparingLong((Row row) -> row.due().to())
                    .thenComparingLong(Row::number))
            .limit(limit)
            .toList();
    oldest.forEach(row -> world.floor = row.due());
    Answer answer =
        granted(
            world,
            oldest.stream().sorted(Comparator.comparingLong(Row::number)).toList(),
            worker,
            budget,
            now);
    answer.granted().forEach(grant -> world.runs.add(List.of(grant.lease())));
    return answer;
  }

  private boolean isAsked(Row row) {
    return (among == null || among.contains(row.id()))
        && (floor == null || row.due().from() >= floor.from());
  }

  /** Claims these rows, or buries those whose budget is used up. */
  static Answer granted(World world, List<Row> rows, String worker, int budget, Time now) {
    List<Grant> granted = new ArrayList<>();
    List<Id> buried = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (Row row : rows) {
      Row claimed = row.claimed(worker, budget, now);
      world.put(claimed);
      if (claimed.state() == Row.State.LEASED) {
        Ref ref = new Ref(row.id(), claimed.epoch());
        granted.add(new Grant(ref, claimed.attempts(), row.state() == Row.State.LEASED));
      } else {
        buried.add(row.id());
        words.add(claimed.attempts() + " attempts: " + claimed.error());
      }
    }
    return new Answer(granted, List.of(), buried, words);
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    return product.answer(claims(product, dsl, product.kind.table()));
  }

  private <V> Claims<Long, V> claims(Product product, DSLContext dsl, LeaseTable<Long, V> table) {
    Condition which = among == null ? noCondition() : product.among(among);
    if (floor != null) {
      which = which.and(product.kind.due().ge(floor.toOffset()));
    }
    return Product.by(worker)
        .claim(dsl, table.where(which), new ClaimTerms(Row.LEASE, budget), limit);
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Claim(
        worker, Id.renamed(Objects.requireNonNull(among), events), floor, limit, budget);
  }

  @Override
  public boolean neverWaits() {
    return true;
  }

  @Override
  public boolean passesByLockedRows() {
    return true;
  }

  @Override
  public String toString() {
    return "%s claims up to %d%s%s under a budget of %d"
        .formatted(
            worker,
            limit,
            among == null ? "" : " of " + among,
            floor == null ? "" : " that were due since the latest claim's",
            budget);
  }
}

package dev.fencedoutbox.it.model;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.model.Answer.Grant;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * A worker claims runs under ordering keys: of each key from {@code after} on its oldest row, if
 * that is claimable, and the claimable ones after it without a gap, if neither was attempted.
 *
 * @param keys these at the most, or null: any
 */
record ClaimInOrder(
    String worker, @Nullable Set<String> keys, String after, int limit, int runLength, int budget)
    implements Action {

  @Override
  public Answer inModel(World world, Time now) {
    int met = 0;
    String last = "";
    List<Answer> answers = new ArrayList<>();
    for (List<Row> rows : byKey(world).values()) {
      if (met == limit) {
        break;
      }
      List<Row> run = run(world, rows, now);
      List<Row> taken = run.subList(0, Math.min(run.size(), limit - met));
      met += Math.max(taken.size(), 1); // a key that cannot be taken counts as well
      last = Objects.requireNonNull(rows.get(0).key());
      Answer ofKey = Claim.granted(world, taken, worker, budget, now);
      if (!ofKey.granted().isEmpty()) {
        world.runs.add(ofKey.granted().stream().map(Grant::lease).toList());
      }
      answers.add(ofKey);
    }
    world.walkedTo = met < limit ? "" : last;
    answers.add(Answer.ofWord("next after '" + world.walkedTo + "'"));
    return Answer.joined(answers);
  }

  /** What is pending under each key after the start, in the order of the keys. */
  private SortedMap<String, List<Row>> byKey(World world) {
    SortedMap<String, List<Row>> byKey = new TreeMap<>();
    for (Row row : world.rows(row -> row.key() != null)) {
      String key = Objects.requireNonNull(row.key());
      if (key.compareTo(after) > 0 && (keys == null || keys.contains(key))) {
        byKey.computeIfAbsent(key, unseen -> new ArrayList<>()).add(row);
      }
    }
    return byKey;
  }

  private List<Row> run(World world, List<Row> rows, Time now) {
    List<Row> run = new ArrayList<>();
    for (Row row : rows) {
      boolean alone = !run.isEmpty() && (row.attempts() > 0 || run.get(0).attempts() > 0);
      if (run.size() == runLength || alone || !world.mayClaim(row, now)) {
        break;
      }
      run.add(row);
    }
    return run;
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    OrderedTable<Long, Delivery> table = Outbox.create().orderedDeliveries(Product.CHANNEL);
    if (keys != null) {
      Field<String[]> all = val(keys.toArray(String[]::new));
      table = table.where(DELIVERY.ORDERING_KEY.eq(any(all)));
    }
    var ordered =
        Product.by(worker)
            .claimInOrder(
                dsl,
                table,
                new ClaimTerms(Row.LEASE, budget),
                new KeyWalk(after, limit, runLength));
    return Answer.joined(
        List.of(
            product.answer(ordered.claims()),
            Answer.ofWord("next after '" + ordered.next().after() + "'")));
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new ClaimInOrder(
        worker,
        Objects.requireNonNull(keys).stream().map(events).collect(Collectors.toUnmodifiableSet()),
        after,
        limit,
        runLength,
        budget);
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
    return "%s claims up to %d in order%s after '%s', %d of a key, under a budget of %d"
        .formatted(worker, limit, keys == null ? "" : " of " + keys, after, runLength, budget);
  }
}

package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.internal.CheckReturnValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;

/**
 * The column of a leased table that keeps what came of the work: rows are completed together with
 * their results, by the same guarded write, so that none is done without its result and no late
 * worker's result lands.
 *
 * <pre>{@code
 * static final ResultColumn<Long, String> RESULTS = ResultColumn.of(JOBS, JOB.RESULT);
 *
 * EffectOutcome outcome = RESULTS.finish(dsl, new Finished<>(lease, "42"), effect);
 * }</pre>
 *
 * <p>Transactions, isolation and errors as in {@link Leases}. Immutable and thread-safe.
 *
 * <p>Source: article 002, <i>Check ownership where the effect commits</i>.
 *
 * @param <K> the type of the table's key
 * @param <V> the type of the results
 */
@CheckReturnValue
public final class ResultColumn<K, V> {

  private final LeaseTable<K, ?> table;
  private final Field<V> column;

  private ResultColumn(LeaseTable<K, ?> table, Field<V> column) {
    this.table = table;
    this.column = column;
  }

  /**
   * That column of that table.
   *
   * @throws IllegalArgumentException if the column is another table's or belongs to the lease, or
   *     if completed rows do not stay
   */
  public static <K, V> ResultColumn<K, V> of(LeaseTable<K, ?> table, Field<V> column) {
    LeaseSql.requireApplicationColumn(table, column);
    Completion.SetStatus<K> unused = table.finalStatus("a result");
    return new ResultColumn<>(table, column);
  }

  /** Completes the row with its result. */
  public LeaseOutcome complete(DSLContext dsl, Finished<K, V> finished) {
    return completeAll(dsl, List.of(finished)).get(0);
  }

  /** Completes many rows by one statement; outcomes in the order of {@code finished}. */
  public List<LeaseOutcome> completeAll(
      DSLContext dsl, Collection<? extends Finished<K, V>> finished) {
    List<Finished<K, V>> all = List.copyOf(finished);
    if (all.isEmpty()) {
      return List.of();
    }
    return GuardedWrite.run(
        Leases.context(dsl, table), all.stream().map(Finished::lease).toList(), completion(all));
  }

  /** Completes the row with its result and writes {@code effect} in one statement: all or none. */
  public EffectOutcome finish(DSLContext dsl, Finished<K, V> finished, Effect<K> effect) {
    return FencedEffect.outcome(
        Leases.context(dsl, table).fetchSingle(completion(finished, effect)));
  }

  /** {@link #completeAll} as a detached value; it returns the key and the epoch of every row. */
  public ResultQuery<Record2<K, Long>> completion(List<Finished<K, V>> finished) {
    List<Lease<K>> leases = finished.stream().map(Finished::lease).toList();
    Lease<K> unused = GuardedWrite.requireOneTable(leases);
    leases.forEach(this::requireOwn);
    Column<Finished<K, V>, V> result =
        new Column<>("result", column.getDataType(), Finished::result);
    Held<K> held = Held.of(finished, Finished::lease, List.of(result));
    return new FencedEffect<>(table, held, Map.of(column, held.more(0, result))).complete();
  }

  /** {@link #finish} as a detached value; it returns how many leases held and rows were written. */
  public ResultQuery<Record2<Integer, Integer>> completion(
      Finished<K, V> finished, Effect<K> effect) {
    requireOwn(finished.lease());
    return new FencedEffect<>(
            table,
            Held.of(List.of(finished.lease())),
            Map.of(column, val(finished.result(), column)))
        .finish(effect);
  }

  private void requireOwn(Lease<K> lease) {
    if (!table.describes(lease)) {
      throw new IllegalArgumentException(
          "The %s is not on a row that this description of %s is about. Nothing was sent. Finish it by the description it was claimed by."
              .formatted(lease, table));
    }
  }
}

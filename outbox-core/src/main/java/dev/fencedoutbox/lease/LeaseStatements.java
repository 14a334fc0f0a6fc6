package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.DatabaseClock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.Record3;
import org.jooq.ResultQuery;
import org.jooq.UpdateReturningStep;
import org.jooq.UpdateSetMoreStep;
import org.jooq.UpdateWhereStep;
import org.jooq.impl.SQLDataType;

/**
 * The statements of {@link Leases} as detached jOOQ values: render them, EXPLAIN them, run them
 * over JDBC or R2DBC. One statement a method, one verb a statement. A write takes one lease or
 * more, all of one table and each once, and returns the key and the epoch of every row it wrote; a
 * lease whose row does not come back was refused.
 *
 * <p>Thread-safe; the statements it returns are for one thread at a time, as jOOQ's are.
 *
 * <p>Source: the articles' claim, completion, retry, renewal and effect.
 */
@CheckReturnValue
public final class LeaseStatements {

  /** The most rows that one claim takes. */
  public static final int MAX_CLAIM = 10_000;

  private LeaseStatements() {}

  /** Claims the oldest claimable rows, {@code limit} at the most, 1 to {@value #MAX_CLAIM}. */
  public static <K, V> ClaimStatement<K, V> claim(
      LeaseTable<K, V> table, ClaimTerms terms, String owner, int limit) {
    RowLimit rows = RowLimit.of(requireLimit(limit));
    return new ClaimStatement<>(table, terms, owner, noCondition(), rows);
  }

  static int requireLimit(int limit) {
    if (limit < 1 || limit > MAX_CLAIM) {
      throw new IllegalArgumentException(
          "A claim takes 1 to %d rows and was asked for %d. Nothing was sent."
              .formatted(MAX_CLAIM, limit));
    }
    return limit;
  }

  /** Claims the row with that key, if it is claimable. */
  public static <K, V> ClaimStatement<K, V> claimByKey(
      LeaseTable<K, V> table, ClaimTerms terms, String owner, K key) {
    return new ClaimStatement<>(table, terms, owner, table.columns().key().eq(key), RowLimit.of(1));
  }

  /** Claims runs of rows, in order under each ordering key. */
  public static <K, V> OrderedClaimStatement<K, V> claimInOrder(
      OrderedTable<K, V> table, ClaimTerms terms, String owner, KeyWalk walk) {
    return new OrderedClaimStatement<>(table, terms, owner, walk);
  }

  /** Moves the deadline to {@code leaseFor} from now, never back, and returns it as well. */
  public static <K> ResultQuery<Record3<K, Long, OffsetDateTime>> renew(
      List<Lease<K>> leases, Duration leaseFor) {
    ClaimTerms.requireLease(leaseFor);
    LeaseColumns<K> columns = columns(leases);
    Map<Field<?>, Field<?>> set = new LeaseSql<>(columns).renew(DatabaseClock.interval(leaseFor));
    return guarded(columns, set, Held.of(leases))
        .returningResult(columns.key(), columns.epoch(), columns.leaseUntil());
  }

  /** Ends the claim and the work: the row gets its final status or goes. */
  public static <K> ResultQuery<Record2<K, Long>> complete(List<Lease<K>> leases) {
    LeaseTable<K, ?> table = GuardedWrite.requireOneTable(leases).table();
    return new FencedEffect<>(table, Held.of(leases)).complete();
  }

  /**
   * Ends the claim; the row is claimable again after a while.
   *
   * @throws IllegalArgumentException if one is to wait and the table has no due time
   */
  public static <K> ResultQuery<Record2<K, Long>> retry(List<Retry<K>> retries) {
    LeaseColumns<K> columns = columns(retries.stream().map(Retry::lease).toList());
    if (columns.dueAt() == null && retries.stream().anyMatch(r -> !r.after().isZero())) {
      throw new IllegalArgumentException(
          "Table %s has no due time, so a retry cannot wait. Nothing was sent. Retry after Duration.ZERO, or name the column with LeaseTable.dueAt(...)."
              .formatted(retries.get(0).lease().table()));
    }
    Column<Retry<K>, String> after =
        new Column<>("after", SQLDataType.CLOB, one -> one.after().toString());
    Column<Retry<K>, String> error = new Column<>("error", SQLDataType.CLOB, Retry::error);
    Held<K> held = Held.of(retries, Retry::lease, List.of(after, error));
    return written(
        columns,
        new LeaseSql<>(columns)
            .retry(DatabaseClock.interval(held.more(0, after)), held.more(1, error)),
        held);
  }

  /** Ends the claim as if it had not been: the attempt is given back, the due time stays. */
  public static <K> ResultQuery<Record2<K, Long>> release(List<Lease<K>> leases) {
    LeaseColumns<K> columns = columns(leases);
    return written(columns, new LeaseSql<>(columns).release(), Held.of(leases));
  }

  /**
   * Ends the claim as if it had not been, and lets the row wait.
   *
   * @param after bounds as in {@link Retry}
   * @throws IllegalArgumentException if the table has no due time
   */
  public static <K> ResultQuery<Record2<K, Long>> postpone(List<Lease<K>> leases, Duration after) {
    Retry.requireDelay(after);
    LeaseColumns<K> columns = columns(leases);
    if (columns.dueAt() == null) {
      throw new IllegalArgumentException(
          "Table %s has no due time, so a row cannot be postponed. Nothing was sent. Release it, or name the column with LeaseTable.dueAt(...)."
              .formatted(leases.get(0).table()));
    }
    return written(
        columns, new LeaseSql<>(columns).postpone(DatabaseClock.interval(after)), Held.of(leases));
  }

  /** Ends the claim and gives the row up: it is DEAD. */
  public static <K> ResultQuery<Record2<K, Long>> bury(List<Burial<K>> burials) {
    LeaseColumns<K> columns = columns(burials.stream().map(Burial::lease).toList());
    Column<Burial<K>, String> reason = new Column<>("reason", SQLDataType.CLOB, Burial::reason);
    Held<K> held = Held.of(burials, Burial::lease, List.of(reason));
    return written(columns, new LeaseSql<>(columns).bury(held.more(0, reason)), held);
  }

  /** Writes one of the application's own columns of the leased row; the claim goes on. */
  public static <K, T> ResultQuery<Record2<K, Long>> checkpoint(
      Lease<K> lease, Field<T> column, T value) {
    LeaseColumns<K> columns = lease.table().columns();
    LeaseSql.requireApplicationColumn(lease.table(), column);
    return written(columns, Map.of(column, val(value, column)), Held.of(List.of(lease)));
  }

  /** Locks the row to the end of the transaction if the lease holds; the claim goes on. */
  public static <K> ResultQuery<Record2<K, Long>> hold(Lease<K> lease) {
    LeaseColumns<K> columns = lease.table().columns();
    return select(columns.key(), columns.epoch())
        .from(columns.table())
        .where(new LeaseSql<>(columns).stillHeld(Held.of(List.of(lease))))
        .forNoKeyUpdate();
  }

  /** Completes the row and writes {@code effect}, both or neither. */
  public static <K> ResultQuery<Record2<Integer, Integer>> finish(
      Lease<K> lease, Effect<K> effect) {
    return effectOf(lease).finish(effect);
  }

  /** Writes {@code effect} if the lease holds; the claim goes on. */
  public static <K> ResultQuery<Record2<Integer, Integer>> apply(Lease<K> lease, Effect<K> effect) {
    return effectOf(lease).apply(effect);
  }

  /** Where the rows of refused leases stand: key, epoch, and whether somebody holds them. */
  public static <K> ResultQuery<Record3<K, Long, Boolean>> standing(List<Lease<K>> leases) {
    LeaseColumns<K> columns = columns(leases);
    Column<Lease<K>, K> keys = new Column<>("row_key", columns.key().getDataType(), Lease::key);
    return select(columns.key(), columns.epoch(), field(columns.status().isInProgress()))
        .from(columns.table())
        .where(columns.key().eq(any(keys.array(leases))));
  }

  /**
   * All statements over a table as text, for people to read.
   *
   * @param effect a sample, for the statements that take one
   */
  public static <K> String describe(LeaseTable<K, ?> table, Effect<K> effect) {
    return StatementCatalog.of(table, effect);
  }

  private static <K> FencedEffect<K> effectOf(Lease<K> lease) {
    return new FencedEffect<>(lease.table(), Held.of(List.of(lease)));
  }

  /** The columns of the one table that all the leases are on. */
  private static <K> LeaseColumns<K> columns(List<Lease<K>> leases) {
    return GuardedWrite.requireOneTable(leases).table().columns();
  }

  private static <K> ResultQuery<Record2<K, Long>> written(
      LeaseColumns<K> columns, Map<Field<?>, Field<?>> set, Held<K> held) {
    return guarded(columns, set, held).returningResult(columns.key(), columns.epoch());
  }

  static <K> UpdateReturningStep<? extends Record> guarded(
      LeaseColumns<K> columns, Map<? extends Field<?>, ? extends Field<?>> set, Held<K> held) {
    UpdateSetMoreStep<?> update = update(columns.table()).set(set);
    UpdateWhereStep<?> joined = held.source() == null ? update : update.from(held.source());
    return joined.where(new LeaseSql<>(columns).stillHeld(held));
  }
}

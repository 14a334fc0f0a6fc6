package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.CheckReturnValue;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.impl.DSL;

/**
 * A typed description of a table whose rows are leased: which column is the key, the epoch, the
 * deadline. The statements of {@link Leases} are written over it, so a table of the application's
 * own works exactly like the library's {@code delivery}, and a renamed column breaks the
 * compilation of its description.
 *
 * <pre>{@code
 * static final LeaseTable<Long, JobRecord> JOBS =
 *     LeaseTable.of(JOB, JOB.ID)
 *         .epoch(JOB.EPOCH)
 *         .attempts(JOB.ATTEMPTS)
 *         .leaseUntil(JOB.LEASE_UNTIL)
 *         .status(JOB.STATE, READY, RUNNING, DEAD)
 *         .completedAs(DONE)
 *         .dueAt(JOB.RUN_AFTER);
 * }</pre>
 *
 * <p>What the table needs: {@code epoch bigint NOT NULL DEFAULT 0} and {@code attempts int NOT NULL
 * DEFAULT 0}, the epoch never reset; a nullable {@code lease_until timestamptz}; a status column; a
 * constraint {@code CHECK ((status = 'IN_PROGRESS') = (lease_until IS NOT NULL))}, since a row in
 * progress without a deadline would never be claimable again, and {@code NOT NULL} on the due time
 * for the same reason; an index on (the columns that {@link #where} fixes, the due time, the key)
 * with current statistics, or a partial one; no index on a column that a claim changes, and room in
 * its pages ({@code fillfactor}) for claimed rows. A key must never be used twice: a row that was
 * deleted and created again would start at epoch 0, and an old lease would look current (article
 * 002).
 *
 * <p>Immutable and thread-safe.
 *
 * @param <K> the type of the key
 * @param <V> what a claim hands out with each lease, the table's own record unless {@linkplain
 *     #handingOut told otherwise}
 */
@CheckReturnValue
public final class LeaseTable<K, V> {

  private final LeaseColumns<K> columns;
  private final Handout<V> handout;
  private final Condition scope;
  private final List<Field<?>> exposed;
  private final boolean logged;

  private LeaseTable(
      LeaseColumns<K> columns,
      Handout<V> handout,
      Condition scope,
      List<Field<?>> exposed,
      boolean logged) {
    this.columns = columns;
    this.handout = handout;
    this.scope = scope;
    this.exposed = exposed;
    this.logged = logged;
  }

  LeaseTable(LeaseColumns<K> columns, Handout<V> handout) {
    this(columns, handout, DSL.noCondition(), List.of(), true);
  }

  /**
   * Starts the description of a table whose key is an identity column or a {@code uuid}.
   *
   * @throws IllegalArgumentException for any other key; see {@link #ofNeverReused}
   */
  public static <R extends Record, K extends Comparable<? super K>> EpochStep<R, K> of(
      Table<R> table, TableField<R, K> key) {
    if (!key.getDataType().identity() && key.getType() != UUID.class) {
      throw new IllegalArgumentException(
          "Key %s is neither an identity column nor a uuid, so a deleted row could come back under the same key at epoch 0 and make an old lease look current. Use such a key, or confirm with LeaseTable.ofNeverReused(...) that the application never uses a key twice."
              .formatted(key));
    }
    return new LeaseTableBuilder<>(table, key);
  }

  /**
   * Starts the description of a table whose key the application gives, and never gives twice, not
   * even after the row was deleted.
   */
  public static <R extends Record, K extends Comparable<? super K>> EpochStep<R, K> ofNeverReused(
      Table<R> table, TableField<R, K> key) {
    return new LeaseTableBuilder<>(table, key);
  }

  /** Names the column that counts claims. */
  public interface EpochStep<R extends Record, K> {
    /** {@code bigint NOT NULL}, raised by one at each claim and never reset. */
    AttemptsStep<R, K> epoch(TableField<R, Long> column);
  }

  /** Names the column that counts attempts. */
  public interface AttemptsStep<R extends Record, K> {
    /** {@code int NOT NULL}, raised by one at each claim, and lowered by a release. */
    LeaseUntilStep<R, K> attempts(TableField<R, Integer> column);
  }

  /** Names the column of the deadline. */
  public interface LeaseUntilStep<R extends Record, K> {
    /** {@code timestamptz}, null while nobody holds the row. */
    StatusStep<R, K> leaseUntil(TableField<R, OffsetDateTime> column);
  }

  /** Names the status column and three of its labels. */
  public interface StatusStep<R extends Record, K> {
    /** The labels of rows that wait, that are held, and that are given up; all three differ. */
    <S> CompletionStep<R, K, S> status(TableField<R, S> column, S ready, S inProgress, S dead);
  }

  /** Says what completing does. */
  public interface CompletionStep<R extends Record, K, S> {
    /** The row stays under this status, which must not be one of the other three. */
    LeaseTable<K, R> completedAs(S done);

    /** The row is deleted. */
    LeaseTable<K, R> completedByDelete();
  }

  /**
   * Rows are claimable from this time on, and are claimed in its order; without it, in key order.
   * The column is the library's: completing and burying write 9999-12-31 UTC, out of the claims'
   * way.
   */
  public LeaseTable<K, V> dueAt(Field<OffsetDateTime> column) {
    return with(columns.withDueAt(own(column)));
  }

  /**
   * Claims note here who made them, for people to read; cut to the column's length.
   *
   * @throws IllegalArgumentException if the column is another table's
   */
  public LeaseTable<K, V> owner(Field<String> column) {
    return with(columns.withOwner(own(column)));
  }

  /**
   * Retries and burials note here what went wrong; cut to the column's length.
   *
   * @throws IllegalArgumentException if the column is another table's
   */
  public LeaseTable<K, V> lastError(Field<String> column) {
    return with(columns.withLastError(own(column)));
  }

  /**
   * Completing notes here when it took place, by the database's clock.
   *
   * @throws IllegalArgumentException if the column is another table's, or if completed rows do not
   *     stay
   */
  public LeaseTable<K, V> completedAt(Field<OffsetDateTime> column) {
    return with(
        columns.withCompletion(
            new Completion.SetStatus<>(finalStatus("completedAt").done(), own(column))));
  }

  /** The same table, of which only rows that meet {@code condition} are claimed. */
  public LeaseTable<K, V> where(Condition condition) {
    return new LeaseTable<>(columns, handout, scope.and(condition), exposed, logged);
  }

  /**
   * The same table, whose rows are claimed in order under each ordering key; those without one are
   * not claimed.
   *
   * @throws IllegalArgumentException if the column is another table's
   */
  public OrderedTable<K, V> inOrderOf(Field<String> orderingKey) {
    return new OrderedTable<>(this, own(orderingKey));
  }

  /**
   * Columns that a fenced effect may read from the accepted row, besides its key.
   *
   * @throws IllegalArgumentException if one is another table's
   */
  public LeaseTable<K, V> exposing(Field<?>... more) {
    List<Field<?>> all =
        Stream.concat(exposed.stream(), Stream.<Field<?>>of(more).map(this::own))
            .distinct()
            .toList();
    return new LeaseTable<>(columns, handout, scope, all, logged);
  }

  /**
   * Completing deletes the row, and the same statement inserts a record of it.
   *
   * @param record where to insert
   * @param values the record's columns, each with what to put there, read from the accepted row
   * @param recordedKey the record's column that holds the key
   * @param recordedEpoch the record's column that holds the epoch
   */
  public LeaseTable<K, V> completedByDeleteLeaving(
      Table<?> record,
      Function<Accepted<K>, Map<Field<?>, Field<?>>> values,
      Field<K> recordedKey,
      Field<Long> recordedEpoch) {
    return with(
        columns.withCompletion(
            new Completion.DeleteLeaving<>(record, values, recordedKey, recordedEpoch)));
  }

  /**
   * Claims hand out something else than the table's own record.
   *
   * @param joined another table, joined to each claimed row
   * @param on meets exactly one of its rows for each leased row, which a foreign key should see to:
   *     a row that meets none is never claimed and stands in the way of those behind it
   * @param fields what {@code mapper} reads
   * @param mapper must not throw: the rows of that claim would wait for the end of their leases
   */
  public <T> LeaseTable<K, T> handingOut(
      Table<?> joined,
      Condition on,
      Collection<? extends Field<?>> fields,
      Function<? super Record, ? extends T> mapper) {
    return new LeaseTable<>(
        columns, Handout.of(joined, on, fields, mapper), scope, exposed, logged);
  }

  /**
   * Claims hand out something else than the table's own record, read from the row alone.
   *
   * @param fields of this table, what {@code mapper} reads
   * @param mapper must not throw: the rows of that claim would wait for the end of their leases
   */
  public <T> LeaseTable<K, T> handingOut(
      Collection<? extends Field<?>> fields, Function<? super Record, ? extends T> mapper) {
    List<Field<?>> own = fields.stream().<Field<?>>map(this::own).toList();
    return new LeaseTable<>(columns, Handout.of(null, null, own, mapper), scope, exposed, logged);
  }

  /** Keeps the binds and results of this table's statements out of jOOQ's own DEBUG log. */
  public LeaseTable<K, V> withoutStatementLog() {
    return new LeaseTable<>(columns, handout, scope, exposed, false);
  }

  /**
   * Whether it is a lease on a row that this describes: of the same columns, and of the same {@link
   * #where}.
   */
  public boolean describes(Lease<?> lease) {
    return columns.equals(lease.table().columns) && scope.equals(lease.table().scope);
  }

  /** The table's name, with its schema. */
  @Override
  public String toString() {
    Table<?> table = columns.table();
    return table.getSchema() == null
        ? table.getName()
        : table.getSchema().getName() + "." + table.getName();
  }

  LeaseColumns<K> columns() {
    return columns;
  }

  Handout<V> handout() {
    return handout;
  }

  Condition scope() {
    return scope;
  }

  List<Field<?>> exposed() {
    return exposed;
  }

  boolean logged() {
    return logged;
  }

  Completion.SetStatus<K> finalStatus(String what) {
    if (columns.completion() instanceof Completion.SetStatus<K> setStatus) {
      return setStatus;
    }
    throw new IllegalArgumentException(
        "Completing deletes the rows of %s, so there is no place for %s. Nothing was sent. Describe it with completedAs(...)."
            .formatted(this, what));
  }

  boolean sameTableAs(LeaseTable<?, ?> other) {
    return columns.table().equals(other.columns.table());
  }

  /** The column, known to be this table's own and not an alias's. */
  <F extends Field<?>> F own(F column) {
    if (!List.of(columns.table().fields()).contains(column)) {
      throw new IllegalArgumentException(
          "Column %s is not one of table %s, so no statement can use it. Name the table's own column."
              .formatted(column, this));
    }
    return column;
  }

  private LeaseTable<K, V> with(LeaseColumns<K> changed) {
    return new LeaseTable<>(changed, handout, scope, exposed, logged);
  }
}

package dev.fencedoutbox.lease;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.DatabaseClock.clockTimestamp;
import static dev.fencedoutbox.internal.DatabaseClock.clockTimestampPlus;
import static dev.fencedoutbox.internal.DatabaseClock.interval;
import static dev.fencedoutbox.internal.DatabaseClock.never;
import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.left;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.SQLDataType.CLOB;

import dev.fencedoutbox.internal.Texts;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.OrderField;
import org.jooq.Record2;
import org.jooq.Table;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * The protocol in two predicates, and what each verb sets. {@link LeaseStatements} puts them
 * together.
 */
final class LeaseSql<K> {

  /** Of a row to claim: somebody held it, and its lease is over. */
  static final Field<Boolean> WAS_LEASED = inline(false).as("was_leased");

  private final LeaseColumns<K> columns;

  LeaseSql(LeaseColumns<K> columns) {
    this.columns = columns;
  }

  /** Whether a claim may take the row: it waits and is due, or its lease is over. */
  Condition claimable() {
    return claimable(columns.status(), columns.leaseUntil(), columns.dueAt());
  }

  /** The same of a row of another relation that has the table's columns. */
  Condition claimableIn(Table<?> relation) {
    return claimable(
        columns.status().in(relation),
        Objects.requireNonNull(relation.field(columns.leaseUntil())),
        columns.dueAt() == null ? null : relation.field(columns.dueAt()));
  }

  private static Condition claimable(
      StatusColumn<?> status,
      Field<OffsetDateTime> leaseUntil,
      @Nullable Field<OffsetDateTime> dueAt) {
    Condition due = dueAt == null ? noCondition() : dueAt.le(statementTimestamp());
    return due.and(
        status.isReady().or(status.isInProgress().and(leaseUntil.le(statementTimestamp()))));
  }

  /**
   * Whether the row is still held under that lease. It stands in the WHERE of the row that is being
   * written: after a wait for its lock, PostgreSQL checks that again, and nothing else.
   */
  Condition stillHeld(Held<K> held) {
    return columns
        .key()
        .eq(held.key())
        .and(columns.epoch().eq(held.epoch())) // safety: nobody claimed it since
        .and(columns.status().isInProgress())
        .and(columns.leaseUntil().gt(clockTimestamp())); // courtesy: an expired owner stops
  }

  /**
   * The rows to claim, locked. The limit that the planner sees is a literal and so are the labels:
   * otherwise the generic plan assumes a tenth of the table and sorts it instead of walking the
   * index.
   */
  CommonTableExpression<Record2<K, Boolean>> claimableRows(Condition scope, RowLimit limit) {
    String name = "claimable_rows";
    return name(name)
        .asMaterialized(
            limit.seen(
                select(columns.key(), field(columns.status().isInProgress()).as(WAS_LEASED))
                    .from(columns.table())
                    .where(scope)
                    .and(claimable())
                    .orderBy(claimOrder())
                    .limit(limit.rows())
                    .forNoKeyUpdate()
                    .skipLocked(),
                name));
  }

  /** An array of keys, not a join: whatever the statistics say, rows are looked up by their key. */
  Condition among(CommonTableExpression<?> claimable) {
    Field<K> key = column(claimable, columns.key());
    return columns.key().eq(any(array(select(key).from(claimable))));
  }

  /**
   * Whether the row's lease was over, rather than that it waited. Most often the array is empty.
   */
  Condition reclaimedFrom(CommonTableExpression<?> claimable) {
    Field<K> key = column(claimable, columns.key());
    return columns
        .key()
        .eq(
            any(
                array(
                    select(key).from(claimable).where(condition(column(claimable, WAS_LEASED))))));
  }

  private List<OrderField<?>> claimOrder() {
    List<OrderField<?>> order = new ArrayList<>();
    if (columns.dueAt() != null) {
      order.add(columns.dueAt());
    }
    order.add(columns.key());
    return order;
  }

  /** A row within its budget becomes leased; one beyond it becomes DEAD and keeps its numbers. */
  Map<Field<?>, Field<?>> claim(ClaimTerms terms, String owner) {
    Texts.requireName("owner", owner);
    Condition spent = columns.attempts().ge(inline(terms.attemptBudget()));
    Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
    claimStatus(set, columns.status(), spent);
    set.put(columns.epoch(), unless(spent, columns.epoch().plus(inline(1)), columns.epoch()));
    set.put(
        columns.attempts(), unless(spent, columns.attempts().plus(inline(1)), columns.attempts()));
    set.put(columns.leaseUntil(), when(spent.not(), deadline(interval(terms.leaseFor()))));
    if (columns.owner() != null) {
      set.put(columns.owner(), when(spent.not(), fitting(val(owner, CLOB), columns.owner())));
    }
    if (columns.dueAt() != null) {
      set.put(columns.dueAt(), unless(spent, columns.dueAt(), never()));
    }
    if (columns.lastError() != null) {
      set.put(
          columns.lastError(),
          unless(spent, columns.lastError(), spentReason(terms, columns.lastError())));
    }
    return set;
  }

  private static <S> void claimStatus(
      Map<Field<?>, Field<?>> set, StatusColumn<S> status, Condition spent) {
    set.put(status.column(), unless(spent, status.toInProgress(), status.toDead()));
  }

  private static <T> Field<T> unless(Condition spent, Field<T> live, Field<T> buried) {
    return when(spent, buried).otherwise(live);
  }

  private static Field<String> spentReason(ClaimTerms terms, Field<String> lastError) {
    Field<String> reason =
        inline(spentReason(terms) + " Last error: ")
            .concat(
                coalesce(
                    left(lastError, inline(Texts.MAX_ERROR)),
                    inline("none was reported; the worker died or its lease ran out.")));
    return fitting(reason, lastError);
  }

  static String spentReason(ClaimTerms terms) {
    return "The attempt budget of " + terms.attemptBudget() + " is used up.";
  }

  Map<Field<?>, Field<?>> renew(Field<DayToSecond> leaseFor) {
    return Map.of(columns.leaseUntil(), greatest(columns.leaseUntil(), deadline(leaseFor)));
  }

  /** One for all rows of a statement, so that no lease of a run outlives one before it. */
  private static Field<OffsetDateTime> deadline(Field<DayToSecond> leaseFor) {
    return field(select(clockTimestampPlus(leaseFor)));
  }

  Map<Field<?>, Field<?>> retry(Field<DayToSecond> after, Field<String> error) {
    Map<Field<?>, Field<?>> set = handBack(columns.status().toReady());
    if (columns.dueAt() != null) {
      set.put(columns.dueAt(), clockTimestampPlus(after));
    }
    if (columns.lastError() != null) {
      set.put(columns.lastError(), fitting(error, columns.lastError()));
    }
    return set;
  }

  Map<Field<?>, Field<?>> release() {
    Map<Field<?>, Field<?>> set = handBack(columns.status().toReady());
    set.put(columns.attempts(), greatest(columns.attempts().minus(inline(1)), inline(0)));
    return set;
  }

  /** A release of a row that becomes due again later. */
  Map<Field<?>, Field<?>> postpone(Field<DayToSecond> after) {
    Map<Field<?>, Field<?>> set = release();
    set.put(Objects.requireNonNull(columns.dueAt()), clockTimestampPlus(after));
    return set;
  }

  Map<Field<?>, Field<?>> bury(Field<String> reason) {
    Map<Field<?>, Field<?>> set = neverDue(handBack(columns.status().toDead()));
    if (columns.lastError() != null) {
      set.put(columns.lastError(), fitting(reason, columns.lastError()));
    }
    return set;
  }

  /** The columns of the protocol are written by its verbs alone. */
  static void requireApplicationColumn(LeaseTable<?, ?> table, Field<?> column) {
    if (table.columns().own().contains(table.own(column))) {
      throw new IllegalArgumentException(
          "Column %s belongs to the lease, so a checkpoint must not write it. Nothing was sent. Use the verb that changes it."
              .formatted(column));
    }
  }

  Map<Field<?>, Field<?>> complete(Completion.SetStatus<K> completion) {
    Map<Field<?>, Field<?>> set = neverDue(handBack(completion.done()));
    if (completion.at() != null) {
      set.put(completion.at(), clockTimestamp());
    }
    return set;
  }

  /** Out of the range that claims scan, so that what is over costs them nothing. */
  private Map<Field<?>, Field<?>> neverDue(Map<Field<?>, Field<?>> set) {
    if (columns.dueAt() != null) {
      set.put(columns.dueAt(), never());
    }
    return set;
  }

  /** A text as far as a column holds it. */
  private static Field<String> fitting(Field<String> text, Field<String> column) {
    int length = column.getDataType().length();
    return length > 0 ? left(text, inline(length)) : text;
  }

  /** The lease ends: the row has a status, and no deadline and no owner any more. */
  private Map<Field<?>, Field<?>> handBack(Field<?> status) {
    Map<Field<?>, Field<?>> set = new LinkedHashMap<>();
    set.put(columns.status().column(), status);
    set.put(columns.leaseUntil(), castNull(columns.leaseUntil()));
    if (columns.owner() != null) {
      set.put(columns.owner(), castNull(columns.owner()));
    }
    return set;
  }
}

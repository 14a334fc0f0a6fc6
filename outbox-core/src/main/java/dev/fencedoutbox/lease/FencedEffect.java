package dev.fencedoutbox.lease;

import static dev.fencedoutbox.internal.Columns.column;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.one;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.when;
import static org.jooq.impl.DSL.with;
import static org.jooq.impl.DSL.zero;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.DeleteReturningStep;
import org.jooq.DeleteUsingStep;
import org.jooq.DeleteWhereStep;
import org.jooq.Field;
import org.jooq.InsertReturningStep;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jooq.RowCountQuery;
import org.jooq.Table;
import org.jooq.UpdateReturningStep;
import org.jooq.impl.QOM;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The statements in which a guarded write feeds another write, so that both take place or neither:
 * completion that leaves a record, and the fenced effect.
 *
 * <p>Their common table expressions have names that no table of a host is likely to have, since
 * they would hide a target that is rendered without its schema.
 */
final class FencedEffect<K> {

  private static final Field<Integer> ACCEPTED = inline(0).as("accepted");
  private static final Field<Integer> APPLIED = inline(0).as("applied");

  private final LeaseTable<K, ?> table;
  private final LeaseColumns<K> columns;
  private final Held<K> held;
  private final Map<Field<?>, Field<?>> more;

  FencedEffect(LeaseTable<K, ?> table, Held<K> held) {
    this(table, held, Map.of());
  }

  /** One that, where it completes rows that stay, writes more of their columns. */
  FencedEffect(LeaseTable<K, ?> table, Held<K> held, Map<Field<?>, Field<?>> more) {
    this.table = table;
    this.columns = table.columns();
    this.held = held;
    this.more = more;
  }

  ResultQuery<Record2<K, Long>> complete() {
    if (columns.completion() instanceof Completion.SetStatus<K> setStatus) {
      return finalStatus(setStatus).returningResult(columns.key(), columns.epoch());
    }
    if (columns.completion() instanceof Completion.DeleteLeaving<K> leaving) {
      Accepted<K> accepted = accepted(completing());
      Map<Field<?>, Field<?>> values = leaving.values().apply(accepted);
      return with(accepted.rows())
          .insertInto(leaving.record())
          .columns(values.keySet())
          .select(select(values.values()).from(accepted.rows()))
          .returningResult(leaving.recordedKey(), leaving.recordedEpoch());
    }
    return deletion().returningResult(columns.key(), columns.epoch());
  }

  /** One row: how many leases were accepted, and how many rows the effect wrote. */
  ResultQuery<Record2<Integer, Integer>> finish(Effect<K> effect) {
    Accepted<K> accepted = accepted(completing());
    List<CommonTableExpression<?>> parts = new ArrayList<>(List.of(accepted.rows()));
    if (columns.completion() instanceof Completion.DeleteLeaving<K> leaving) {
      Map<Field<?>, Field<?>> values = leaving.values().apply(accepted);
      parts.add(
          name("record_rows")
              .as(
                  insertInto(leaving.record())
                      .columns(values.keySet())
                      .select(select(values.values()).from(accepted.rows()))
                      .returningResult(leaving.recordedKey())));
    }
    return counting(accepted, parts, effect);
  }

  /** As {@link #finish}, and the row stays leased. */
  ResultQuery<Record2<Integer, Integer>> apply(Effect<K> effect) {
    Accepted<K> accepted =
        accepted(
            select(acceptedColumns())
                .from(columns.table())
                .where(new LeaseSql<>(columns).stillHeld(held))
                .forNoKeyUpdate());
    return counting(accepted, List.of(accepted.rows()), effect);
  }

  /** What the row of such a statement says. */
  static EffectOutcome outcome(Record2<Integer, Integer> rows) {
    if (rows.value1() == 0) {
      return EffectOutcome.FENCED;
    }
    return rows.value2() == 0 ? EffectOutcome.DUPLICATE : EffectOutcome.APPLIED;
  }

  private ResultQuery<Record2<Integer, Integer>> counting(
      Accepted<K> accepted, List<CommonTableExpression<?>> parts, Effect<K> effect) {
    RowCountQuery write = effect.on(accepted);
    ResultQuery<?> returning = returningOne(write);
    if (!accepted.isReadFrom()) {
      throw new IllegalArgumentException(
          "The effect does not read from accepted.table(), so it would be written whether the lease"
              + " holds or not. Nothing was sent. Select what it writes from there, or use it in a"
              + " condition.");
    }
    CommonTableExpression<?> written = name("effect_rows").as(returning);
    requireOtherTable(write);
    List<CommonTableExpression<?>> all = new ArrayList<>(parts);
    all.add(written);
    Table<?> counted =
        select(
                field(selectCount().from(accepted.rows())).as(ACCEPTED),
                field(selectCount().from(written)).as(APPLIED))
            .asTable("counted_rows");
    Field<Integer> acceptedRows = column(counted, ACCEPTED);
    Field<Integer> appliedRows = column(counted, APPLIED);
    return with(all)
        .select(
            acceptedRows,
            when(acceptedRows.gt(zero()).or(appliedRows.eq(zero())), appliedRows)
                .otherwise(failing(appliedRows))
                .as(APPLIED))
        .from(counted);
  }

  /** Fails the statement, and with it the effect, with a text that says why. */
  private static Field<Integer> failing(Field<Integer> appliedRows) {
    return inline("The lease does not hold, and the effect wrote all the same; rows: ")
        .concat(appliedRows.cast(SQLDataType.VARCHAR))
        .concat(inline(". Nothing stays. Select row by row from accepted.table()."))
        .cast(SQLDataType.INTEGER);
  }

  /** The guard writes or locks the leased row, and a row is written once in a statement. */
  private void requireOtherTable(RowCountQuery effect) {
    @Nullable Table<?> target = null;
    if (effect instanceof QOM.Update<?> update) {
      target = update.$table();
    } else if (effect instanceof QOM.Delete<?> delete) {
      target = delete.$from();
    }
    if (columns.table().equals(target)) {
      throw new IllegalArgumentException(
          "The effect writes to %s, the leased table itself, where it would be lost. Nothing was sent. Write the row's own columns with Leases.checkpoint, or other rows by a statement of their own."
              .formatted(table));
    }
  }

  private Accepted<K> accepted(ResultQuery<Record> guard) {
    return new Accepted<>(name("accepted_rows").as(guard), columns.key(), table.exposed());
  }

  private List<Field<?>> acceptedColumns() {
    List<Field<?>> fields = new ArrayList<>(List.of(columns.key()));
    table.exposed().stream().filter(f -> !fields.contains(f)).forEach(fields::add);
    return fields;
  }

  private ResultQuery<Record> completing() {
    return columns.completion() instanceof Completion.SetStatus<K> setStatus
        ? finalStatus(setStatus).returningResult(acceptedColumns())
        : deletion().returningResult(acceptedColumns());
  }

  private UpdateReturningStep<? extends Record> finalStatus(Completion.SetStatus<K> setStatus) {
    Map<Field<?>, Field<?>> set = new LeaseSql<>(columns).complete(setStatus);
    set.putAll(more);
    return LeaseStatements.guarded(columns, set, held);
  }

  private DeleteReturningStep<? extends Record> deletion() {
    DeleteUsingStep<?> delete = deleteFrom(columns.table());
    DeleteWhereStep<?> joined = held.source() == null ? delete : delete.using(held.source());
    return joined.where(new LeaseSql<>(columns).stillHeld(held));
  }

  /** A data-modifying CTE needs RETURNING; what it returns is only counted. */
  private static ResultQuery<?> returningOne(RowCountQuery effect) {
    if (effect instanceof InsertReturningStep<?> insert) {
      return insert.returningResult(one());
    }
    if (effect instanceof UpdateReturningStep<?> update) {
      return update.returningResult(one());
    }
    if (effect instanceof DeleteReturningStep<?> delete) {
      return delete.returningResult(one());
    }
    throw new IllegalArgumentException(
        "A fenced effect is an INSERT, UPDATE or DELETE of jOOQ's DSL without RETURNING, and this is a %s. Nothing was sent."
            .formatted(effect.getClass().getSimpleName()));
  }
}

package dev.fencedoutbox.lease;

import static dev.fencedoutbox.internal.Columns.column;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.orderBy;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.with;

import java.util.ArrayList;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.Table;

/**
 * The head walk: which rows of which ordering keys one claim takes. It jumps from key to key along
 * the index (scope, ordering key, key), looks only at each key's oldest row, its head, and where
 * that is claimable takes it and the contiguous claimable rows after it as one run.
 *
 * <p>Why it holds: only the head opens its key, the head's row lock and lease exclude all others,
 * and no smaller key can appear later, since rows of one ordering key get their keys under its
 * lock.
 */
final class OrderedSql<K> {

  static final Field<Integer> POSITION = inline(0).as("walk_position");

  private static final Field<Integer> RANK = inline(0).as("rank_in_key");

  private final LeaseColumns<K> columns;
  private final LeaseSql<K> sql;
  private final Field<String> orderingKey;
  private final Condition scope;
  private final List<Field<?>> headColumns;

  OrderedSql(LeaseColumns<K> columns, Field<String> orderingKey, Condition scope) {
    this.columns = columns;
    this.sql = new LeaseSql<>(columns);
    this.orderingKey = orderingKey;
    this.scope = scope;
    this.headColumns =
        new ArrayList<>(
            List.of(
                orderingKey,
                columns.key(),
                columns.attempts(),
                columns.status().column(),
                columns.leaseUntil()));
    if (columns.dueAt() != null) {
      headColumns.add(columns.dueAt());
    }
  }

  /** The oldest row of each key after {@code cursor}, key by key, as far as it is read. */
  CommonTableExpression<Record> heads(Field<String> cursor) {
    Select<Record> first = headAfter(cursor);
    CommonTableExpression<Record> before = name("key_heads").as(first);
    Table<Record> next = headAfter(column(before, orderingKey)).asTable("next_head");
    return name("key_heads")
        .as(first.unionAll(select(next.fields()).from(before).crossJoin(lateral(next))));
  }

  private Select<Record> headAfter(Field<String> key) {
    return select(headColumns)
        .from(columns.table())
        .where(scope)
        .and(orderingKey.gt(key))
        .orderBy(orderingKey, columns.key())
        .limit(inline(1));
  }

  /** The runs that are taken, and the heads that were met and not taken; {@code limit} in all. */
  CommonTableExpression<Record> runs(
      CommonTableExpression<Record> heads, RowLimit limit, int runLength) {
    Field<Boolean> free = field(sql.claimableIn(heads)).as("free");
    List<Field<?>> fields = new ArrayList<>(List.of(heads.fields()));
    fields.add(free);
    Table<Record> walked = select(fields).from(heads).asTable("walked_heads");
    Table<Record> run = run(walked, column(walked, free), runLength);
    // Whatever follows the head in its run was never claimed
    Condition wasLeased =
        columns
            .status()
            .in(walked)
            .isInProgress()
            .and(column(run, columns.key()).eq(column(walked, columns.key())));
    List<Field<?>> taken =
        List.of(
            rowNumber().over().as(POSITION),
            column(walked, orderingKey),
            column(run, columns.key()),
            field(wasLeased).as(LeaseSql.WAS_LEASED));
    String name = "claimable_runs";
    return name(name)
        .asMaterialized(
            limit.seen(
                select(taken)
                    .from(walked)
                    .leftJoin(lateral(run))
                    .on(trueCondition())
                    .limit(limit.rows()),
                name));
  }

  /**
   * The n-th claimable row of a key belongs to the run if it is the n-th row of the key as well: so
   * a row that is leased, locked or not due ends the run. A row that was attempted before is
   * claimed alone, unless that attempt came and went while this statement ran.
   *
   * <p>Those that may be taken are looked up by their keys: by the ordering key, the planner
   * expects few of them among many, and sorts the whole backlog of a hot key for each run.
   */
  private Table<Record> run(Table<Record> head, Field<Boolean> free, int runLength) {
    Condition alone =
        columns
            .key()
            .eq(column(head, columns.key()))
            .or(columns.attempts().eq(0).and(column(head, columns.attempts()).eq(0)));
    CommonTableExpression<Record> members =
        name("members")
            .asMaterialized(
                numbered(
                    ofKey(head, free).orderBy(orderingKey, columns.key()).limit(inline(runLength)),
                    "members_in_order"));
    Table<Record> takeable =
        numbered(
                select(List.<Field<?>>of(columns.key()))
                    .from(columns.table())
                    .where(sql.among(members))
                    .and(sql.claimable())
                    .and(alone)
                    .orderBy(columns.key())
                    .forNoKeyUpdate()
                    .skipLocked(),
                "takeable_in_order")
            .asTable("takeable");
    return with(members)
        .select(List.of(column(takeable, columns.key()), column(takeable, RANK)))
        .from(members)
        .join(takeable)
        .on(column(members, columns.key()).eq(column(takeable, columns.key())))
        .and(column(members, RANK).eq(column(takeable, RANK)))
        .orderBy(column(takeable, RANK))
        .asTable("run");
  }

  /** Bounded on both sides by the index's own order, so that no other key is read. */
  private SelectConditionStep<Record> ofKey(Table<Record> head, Field<Boolean> free) {
    return select(List.<Field<?>>of(columns.key()))
        .from(columns.table())
        .where(condition(free))
        .and(scope)
        .and(
            row(orderingKey, columns.key())
                .ge(row(column(head, orderingKey), column(head, columns.key()))))
        .and(orderingKey.le(column(head, orderingKey)));
  }

  private Select<Record> numbered(Select<Record> rows, String alias) {
    Table<Record> table = rows.asTable(alias);
    Field<K> key = column(table, columns.key());
    return select(List.of(key, rowNumber().over(orderBy(key)).as(RANK))).from(table);
  }
}

package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.DatabaseClock.interval;
import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static dev.fencedoutbox.internal.Existence.notExists;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.with;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.Record3;
import org.jooq.Record4;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.Table;

/**
 * The purges. Each walks so many rows by the primary key, locks the old ones among them that nobody
 * else has locked, and removes those; what it looks at is bounded, whatever it finds.
 */
record RetentionSql(Duration age) {

  private static final Field<Boolean> OLD = inline(true).as("old");

  /** Removed; walked; old among the walked; the last one walked. */
  ResultQuery<Record4<Integer, Integer, Integer, Long>> messages(IdWalk walk) {
    CommonTableExpression<Record2<Long, Boolean>> walked =
        walked(MESSAGE, MESSAGE.ID, MESSAGE.CREATED_AT, walk);
    CommonTableExpression<Record1<Long>> finished =
        name("finished_messages")
            .asMaterialized(
                select(MESSAGE.ID)
                    .from(MESSAGE)
                    .where(amongOld(MESSAGE.ID, walked))
                    .and(notExists(undelivered()))
                    .and(notExists(deliveredLately()))
                    .orderBy(MESSAGE.ID)
                    .forUpdate()
                    .skipLocked());
    CommonTableExpression<Record1<Long>> receipts =
        name("removed_receipts")
            .as(
                deleteFrom(RECEIPT)
                    .where(among(RECEIPT.MESSAGE_ID, finished, MESSAGE.ID))
                    .returningResult(RECEIPT.MESSAGE_ID));
    CommonTableExpression<Record1<Long>> removed =
        name("removed_rows")
            .as(
                deleteFrom(MESSAGE)
                    .where(among(MESSAGE.ID, finished, MESSAGE.ID))
                    .returningResult(MESSAGE.ID));
    return summary(List.of(walked, finished, receipts, removed), removed, walked, MESSAGE.ID);
  }

  /** Of a delivery of any status. */
  private static Select<Record1<Integer>> undelivered() {
    return selectOne().from(DELIVERY).where(DELIVERY.MESSAGE_ID.eq(MESSAGE.ID));
  }

  private Select<Record1<Integer>> deliveredLately() {
    return selectOne()
        .from(RECEIPT)
        .where(RECEIPT.MESSAGE_ID.eq(MESSAGE.ID))
        .and(isOld(RECEIPT.DELIVERED_AT).not());
  }

  /** The same of operators' actions. */
  ResultQuery<Record4<Integer, Integer, Integer, Long>> operatorActions(IdWalk walk) {
    CommonTableExpression<Record2<Long, Boolean>> walked =
        walked(OPERATOR_ACTION, OPERATOR_ACTION.ID, OPERATOR_ACTION.ACTED_AT, walk);
    CommonTableExpression<Record1<Long>> old =
        name("old_rows")
            .asMaterialized(
                select(OPERATOR_ACTION.ID)
                    .from(OPERATOR_ACTION)
                    .where(amongOld(OPERATOR_ACTION.ID, walked))
                    .orderBy(OPERATOR_ACTION.ID)
                    .forUpdate()
                    .skipLocked());
    CommonTableExpression<Record1<Long>> removed =
        name("removed_rows")
            .as(
                deleteFrom(OPERATOR_ACTION)
                    .where(among(OPERATOR_ACTION.ID, old, OPERATOR_ACTION.ID))
                    .returningResult(OPERATOR_ACTION.ID));
    return summary(List.of(walked, old, removed), removed, walked, OPERATOR_ACTION.ID);
  }

  private CommonTableExpression<Record2<Long, Boolean>> walked(
      Table<?> table, Field<Long> id, Field<OffsetDateTime> since, IdWalk walk) {
    return name("walked_rows")
        .asMaterialized(
            select(id, field(isOld(since)).as(OLD))
                .from(table)
                .where(id.gt(walk.after()))
                .orderBy(id)
                .limit(inline(walk.limit())));
  }

  private static ResultQuery<Record4<Integer, Integer, Integer, Long>> summary(
      List<CommonTableExpression<?>> parts,
      Table<?> removed,
      CommonTableExpression<Record2<Long, Boolean>> walked,
      Field<Long> id) {
    return with(parts)
        .select(
            field(selectCount().from(removed)),
            count(),
            count().filterWhere(column(walked, OLD)),
            max(column(walked, id)))
        .from(walked);
  }

  /** Removed; walked; the consumer and the event of the last one walked. */
  ResultQuery<Record4<Integer, Integer, String, String>> inbox(InboxWalk walk) {
    CommonTableExpression<Record3<String, String, Boolean>> walked =
        name("walked_rows")
            .asMaterialized(
                select(INBOX.CONSUMER, INBOX.EVENT_ID, field(isOld(INBOX.RECEIVED_AT)).as(OLD))
                    .from(INBOX)
                    .where(
                        row(INBOX.CONSUMER, INBOX.EVENT_ID)
                            .gt(
                                val(walk.consumer(), INBOX.CONSUMER),
                                val(walk.eventId(), INBOX.EVENT_ID)))
                    .orderBy(INBOX.CONSUMER, INBOX.EVENT_ID)
                    .limit(inline(walk.limit())));
    CommonTableExpression<Record2<String, String>> old =
        name("old_rows")
            .asMaterialized(
                select(INBOX.CONSUMER, INBOX.EVENT_ID)
                    .from(walked)
                    .join(INBOX)
                    .on(sameEvent(walked))
                    .where(column(walked, OLD))
                    .orderBy(INBOX.CONSUMER, INBOX.EVENT_ID)
                    .forUpdate()
                    .of(INBOX)
                    .skipLocked());
    CommonTableExpression<Record1<String>> removed =
        name("removed_rows")
            .as(deleteFrom(INBOX).using(old).where(sameEvent(old)).returningResult(INBOX.CONSUMER));
    Table<Record2<String, String>> last =
        select(column(walked, INBOX.CONSUMER), column(walked, INBOX.EVENT_ID))
            .from(walked)
            .orderBy(column(walked, INBOX.CONSUMER).desc(), column(walked, INBOX.EVENT_ID).desc())
            .limit(inline(1))
            .asTable("last_walked");
    return with(List.of(walked, old, removed))
        .select(
            field(selectCount().from(removed)),
            field(selectCount().from(walked)),
            field(select(column(last, INBOX.CONSUMER)).from(last)),
            field(select(column(last, INBOX.EVENT_ID)).from(last)));
  }

  private static Condition sameEvent(Table<?> relation) {
    return INBOX
        .CONSUMER
        .eq(column(relation, INBOX.CONSUMER))
        .and(INBOX.EVENT_ID.eq(column(relation, INBOX.EVENT_ID)));
  }

  private Condition isOld(Field<OffsetDateTime> since) {
    return since.le(statementTimestamp().sub(interval(age)));
  }

  private static Condition amongOld(
      Field<Long> id, CommonTableExpression<Record2<Long, Boolean>> walked) {
    return id.eq(any(array(select(column(walked, id)).from(walked).where(column(walked, OLD)))));
  }

  private static Condition among(
      Field<Long> id, CommonTableExpression<Record1<Long>> rows, Field<Long> key) {
    return id.eq(any(array(select(column(rows, key)).from(rows))));
  }
}

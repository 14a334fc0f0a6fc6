package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.Columns.put;
import static dev.fencedoutbox.internal.DatabaseClock.interval;
import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import dev.fencedoutbox.schema.tables.records.MessageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Record3;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** The enqueue, one statement for one message or many. */
final class OutboxSql {

  private OutboxSql() {}

  /**
   * Inserts the messages whose event ids are new, and their deliveries; returns the event ids.
   *
   * <p>Two enqueues of the same messages do not wait for each other in a circle: the locks on
   * ordering keys come first, in one order; then messages without a key, in the order of their
   * event ids; then those with a key, in the order in which they were given, which the locks
   * protect.
   */
  static ResultQuery<Record1<String>> enqueue(EnqueueRows rows) {
    return enqueue(rows.keyHashes(), rows.messages(), rows.deliveries());
  }

  /** The same with placeholders for all values. */
  static ResultQuery<Record1<String>> enqueue(EnqueueRows.Shape shape) {
    return enqueue(shape.keyHashes(), shape.messages(), shape.deliveries());
  }

  private static ResultQuery<Record1<String>> enqueue(
      @Nullable Field<Integer[]> keyHashes, Binds messages, Binds deliveries) {
    List<CommonTableExpression<?>> parts = new ArrayList<>();
    CommonTableExpression<Record1<Integer>> locked =
        keyHashes == null ? null : KeyLocks.locked(keyHashes);
    if (locked != null) {
      parts.add(locked);
    }
    CommonTableExpression<Record3<Long, String, String>> created = created(messages, locked);
    parts.add(created);
    parts.add(queued(deliveries, created));
    return with(parts).select(column(created, MESSAGE.EVENT_ID)).from(created);
  }

  private static CommonTableExpression<Record3<Long, String, String>> created(
      Binds binds, @Nullable CommonTableExpression<Record1<Integer>> locked) {
    Map<Field<?>, Field<?>> values =
        MessageRecord.required(
            binds.get(0, EnqueueRows.EVENT_ID),
            binds.get(1, EnqueueRows.TOPIC),
            binds.get(2, EnqueueRows.CONTENT_TYPE));
    put(values, MESSAGE.ORDERING_KEY, binds.get(3, EnqueueRows.ORDERING_KEY));
    put(values, MESSAGE.HEADERS, binds.get(4, EnqueueRows.HEADERS));
    put(values, MESSAGE.PAYLOAD_JSON, binds.get(5, EnqueueRows.PAYLOAD_JSON));
    put(values, MESSAGE.PAYLOAD_BYTES, binds.get(6, EnqueueRows.PAYLOAD_BYTES));
    List<Table<?>> from = new ArrayList<>(binds.sources());
    Condition afterLocks = noCondition();
    if (locked != null) {
      from.add(locked);
      afterLocks = column(locked, KeyLocks.LOCKS).gt(inline(0));
    }
    return name("created_messages")
        .as(
            insertInto(MESSAGE)
                .columns(values.keySet())
                .select(
                    select(values.values())
                        .from(from)
                        .where(afterLocks)
                        .orderBy(binds.order(7, EnqueueRows.SAID_POSITION)))
                .onConflict(MESSAGE.EVENT_ID)
                .doNothing()
                .returningResult(MESSAGE.ID, MESSAGE.EVENT_ID, MESSAGE.ORDERING_KEY));
  }

  /** A delivery gets its id here, under the locks: so ids grow with the commits of a key. */
  private static CommonTableExpression<Record1<Long>> queued(
      Binds binds, CommonTableExpression<Record3<Long, String, String>> created) {
    Map<Field<?>, Field<?>> values =
        DeliveryRecord.required(column(created, MESSAGE.ID), binds.get(1, EnqueueRows.CHANNEL));
    put(values, DELIVERY.ORDERING_KEY, column(created, MESSAGE.ORDERING_KEY));
    put(
        values,
        DELIVERY.NEXT_ATTEMPT_AT,
        statementTimestamp().add(interval(binds.get(2, EnqueueRows.DELAY))));
    List<Table<?>> from = new ArrayList<>(binds.sources());
    from.add(created);
    Condition ofMessage =
        binds.source() == null
            ? noCondition()
            : column(created, MESSAGE.EVENT_ID).eq(binds.get(0, EnqueueRows.OF_EVENT));
    return name("queued_deliveries")
        .as(
            insertInto(DELIVERY)
                .columns(values.keySet())
                .select(
                    select(values.values())
                        .from(from)
                        .where(ofMessage)
                        .orderBy(binds.order(3, EnqueueRows.POSITION)))
                .returningResult(DELIVERY.ID));
  }
}

package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.with;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import dev.fencedoutbox.schema.tables.records.OperatorActionRecord;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record4;
import org.jooq.ResultQuery;
import org.jooq.Table;

/** Writes down who did what to which delivery, as the last part of the statement that did it. */
record OperatorLog(OperatorVerb verb, Channel channel, Operator by) {

  /**
   * The statement: its parts, of which {@code before} has the deliveries with their messages as
   * they were, and {@code done} those that were changed.
   */
  ResultQuery<Record4<Long, String, String, Long>> after(
      List<CommonTableExpression<?>> parts, Table<?> before, Table<?> done) {
    Condition same = column(done, DELIVERY.ID).eq(column(before, DELIVERY.ID));
    return written(parts, before, done, same, values(before));
  }

  /** The same where new deliveries came of them, in {@code queued}. */
  ResultQuery<Record4<Long, String, String, Long>> afterQueueing(
      List<CommonTableExpression<?>> parts, Table<?> before, Table<?> queued) {
    Map<Field<?>, Field<?>> values = values(before);
    values.put(OPERATOR_ACTION.NEW_DELIVERY_ID, column(queued, DELIVERY.ID));
    Condition same = column(queued, DELIVERY.MESSAGE_ID).eq(column(before, DELIVERY.MESSAGE_ID));
    return written(parts, before, queued, same, values);
  }

  private static ResultQuery<Record4<Long, String, String, Long>> written(
      List<CommonTableExpression<?>> parts,
      Table<?> before,
      Table<?> done,
      Condition same,
      Map<Field<?>, Field<?>> values) {
    return with(parts)
        .insertInto(OPERATOR_ACTION)
        .columns(values.keySet())
        .select(
            select(values.values())
                .from(before)
                .join(done)
                .on(same)
                .orderBy(column(before, DELIVERY.ID)))
        .returningResult(
            OPERATOR_ACTION.DELIVERY_ID,
            OPERATOR_ACTION.EVENT_ID,
            OPERATOR_ACTION.TOPIC,
            OPERATOR_ACTION.NEW_DELIVERY_ID);
  }

  private Map<Field<?>, Field<?>> values(Table<?> before) {
    Map<Field<?>, Field<?>> values =
        OperatorActionRecord.required(
            column(before, DELIVERY.ID),
            column(before, DELIVERY.MESSAGE_ID),
            column(before, DELIVERY.EPOCH),
            column(before, DELIVERY.ATTEMPTS),
            val(verb, OPERATOR_ACTION.VERB),
            column(before, MESSAGE.EVENT_ID),
            column(before, MESSAGE.TOPIC),
            val(channel.name(), OPERATOR_ACTION.CHANNEL),
            val(by.who(), OPERATOR_ACTION.WHO),
            val(by.why(), OPERATOR_ACTION.WHY));
    values.put(OPERATOR_ACTION.LAST_ERROR, column(before, DELIVERY.LAST_ERROR));
    return values;
  }

  static Changed changed(Record4<Long, String, String, Long> row) {
    return new Changed(row.value1(), row.value2(), row.value3(), row.value4());
  }
}

package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.Existence.exists;
import static dev.fencedoutbox.internal.Existence.notExists;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import dev.fencedoutbox.schema.tables.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.Record4;
import org.jooq.ResultQuery;
import org.jooq.Select;

/** The statements about messages that were delivered on a channel. */
record ReplaySql(Channel channel) {

  private static final Receipt LATER = RECEIPT.as("later_receipt");

  /** The message, its key, and whether it has a delivery and a receipt on the channel. */
  ResultQuery<Record4<Long, String, Boolean, Boolean>> standing(String eventId) {
    return select(
            MESSAGE.ID,
            MESSAGE.ORDERING_KEY,
            exists(undelivered()),
            exists(
                selectOne()
                    .from(RECEIPT)
                    .where(RECEIPT.MESSAGE_ID.eq(MESSAGE.ID))
                    .and(RECEIPT.CHANNEL.eq(channel.name()))))
        .from(MESSAGE)
        .where(MESSAGE.EVENT_ID.eq(eventId));
  }

  /** The messages of the selection, and the keys whose tails they would join. */
  ResultQuery<Record2<Long, String>> sent(SentSelection selection) {
    return select(MESSAGE.ID, MESSAGE.ORDERING_KEY)
        .from(RECEIPT)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(RECEIPT.MESSAGE_ID))
        .where(sent())
        .and(selection.condition())
        .orderBy(MESSAGE.ID)
        .limit(inline(selection.limit()));
  }

  /**
   * New deliveries, their ids drawn under the locks of their keys. The message is locked first, as
   * a foreign key's check would: beside a purge that has it, this waits and then meets nothing, in
   * place of an error. The unique constraint of the delivery has the last word on a second one.
   */
  ResultQuery<Record4<Long, String, String, Long>> replay(
      List<Keyed> messages, Condition which, Duration spread, Operator by) {
    CommonTableExpression<Record1<Integer>> locks = KeyLocks.locked(Keyed.keyHashes(messages));
    CommonTableExpression<Record> sent =
        name("sent_messages")
            .asMaterialized(
                select(asDelivered())
                    .from(locks, RECEIPT.join(MESSAGE).on(MESSAGE.ID.eq(RECEIPT.MESSAGE_ID)))
                    .where(KeyLocks.taken(locks))
                    .and(RECEIPT.MESSAGE_ID.eq(any(val(Keyed.ids(messages)))))
                    .and(sent())
                    .and(which)
                    .orderBy(MESSAGE.ID)
                    .forKeyShare()
                    .of(MESSAGE));
    CommonTableExpression<Record> placed = Spread.placed(sent, DELIVERY.MESSAGE_ID);
    Map<Field<?>, Field<?>> values = NewDelivery.values(placed, channel, spread);
    CommonTableExpression<Record2<Long, Long>> queued =
        name("queued_deliveries")
            .as(
                insertInto(DELIVERY)
                    .columns(values.keySet())
                    .select(
                        select(values.values())
                            .from(placed)
                            .orderBy(column(placed, DELIVERY.MESSAGE_ID)))
                    .onConflict(DELIVERY.MESSAGE_ID, DELIVERY.CHANNEL)
                    .doNothing()
                    .returningResult(DELIVERY.ID, DELIVERY.MESSAGE_ID));
    return new OperatorLog(OperatorVerb.REPLAY, channel, by)
        .afterQueueing(List.of(locks, sent, placed, queued), sent, queued);
  }

  /** The completed delivery, as far as its receipt remembers it. */
  private static List<Field<?>> asDelivered() {
    return List.of(
        RECEIPT.DELIVERY_ID.as(DELIVERY.ID),
        RECEIPT.MESSAGE_ID.as(DELIVERY.MESSAGE_ID),
        RECEIPT.EPOCH.as(DELIVERY.EPOCH),
        RECEIPT.ATTEMPTS.as(DELIVERY.ATTEMPTS),
        castNull(DELIVERY.LAST_ERROR).as(DELIVERY.LAST_ERROR),
        MESSAGE.EVENT_ID,
        MESSAGE.TOPIC,
        MESSAGE.ORDERING_KEY);
  }

  /** The latest receipt of the channel, and nothing of the message is to be done there. */
  private Condition sent() {
    return RECEIPT
        .CHANNEL
        .eq(channel.name())
        .and(
            notExists(
                selectOne()
                    .from(LATER)
                    .where(LATER.MESSAGE_ID.eq(RECEIPT.MESSAGE_ID))
                    .and(LATER.CHANNEL.eq(RECEIPT.CHANNEL))
                    .and(LATER.DELIVERY_ID.gt(RECEIPT.DELIVERY_ID))))
        .and(notExists(undelivered()));
  }

  private Select<Record1<Integer>> undelivered() {
    return selectOne()
        .from(DELIVERY)
        .where(DELIVERY.MESSAGE_ID.eq(MESSAGE.ID))
        .and(DELIVERY.CHANNEL.eq(channel.name()));
  }
}

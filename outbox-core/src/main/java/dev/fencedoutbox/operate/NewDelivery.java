package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.Columns.put;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.time.Duration;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Table;

/** A delivery of a message that is there already, at the tail of its ordering key. */
final class NewDelivery {

  private NewDelivery() {}

  /** Its columns, from rows that have their messages' keys and a place. */
  static Map<Field<?>, Field<?>> values(Table<?> placed, Channel channel, Duration spread) {
    Map<Field<?>, Field<?>> values =
        DeliveryRecord.required(
            column(placed, DELIVERY.MESSAGE_ID), val(channel.name(), DELIVERY.CHANNEL));
    put(values, DELIVERY.ORDERING_KEY, column(placed, MESSAGE.ORDERING_KEY));
    put(values, DELIVERY.NEXT_ATTEMPT_AT, Spread.dueAt(placed, spread));
    return values;
  }
}

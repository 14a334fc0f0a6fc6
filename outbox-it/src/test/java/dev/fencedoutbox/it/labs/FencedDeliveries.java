package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.TestDatabase.on;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.MESSAGE_STATUS;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;

/** The fenced statements over the library's own deliveries. */
final class FencedDeliveries extends FencedPort {

  FencedDeliveries() {
    super(Outbox.create().deliveries(Channel.DEFAULT));
  }

  @Override
  public void reset(Connection connection) {
    on(connection).truncate(MESSAGE).cascade().execute();
  }

  @Override
  public long insert(Connection connection, String name) {
    enqueue(on(connection), message(name));
    return on(connection)
        .select(DELIVERY.ID)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(name))
        .fetchSingle()
        .value1();
  }

  @Override
  public void expire(Connection connection, long key) {
    Fixtures.expireDelivery(on(connection), key);
  }

  @Override
  public void supersede(Connection connection, long key) {
    on(connection)
        .update(DELIVERY)
        .set(DELIVERY.EPOCH, DELIVERY.EPOCH.plus(1))
        .set(DELIVERY.LEASE_UNTIL, inTenMinutes())
        .where(DELIVERY.ID.eq(key))
        .execute();
  }

  @Override
  public Row row(Connection connection, long key) {
    return on(connection)
        .select(MESSAGE_STATUS.STATUS, MESSAGE_STATUS.EPOCH, MESSAGE_STATUS.LEASE_UNTIL)
        .from(MESSAGE_STATUS)
        .where(MESSAGE_STATUS.DELIVERY_ID.eq(key))
        .fetchSingle(row -> new Row(status(row.value1()), row.value2(), row.value3() != null));
  }

  private static Status status(String label) {
    return switch (label) {
      case "READY" -> Status.WAITING;
      case "INPROGRESS" -> Status.LEASED;
      case "SENT" -> Status.DONE;
      default -> throw new AssertionError("no such status in this lab: " + label);
    };
  }
}

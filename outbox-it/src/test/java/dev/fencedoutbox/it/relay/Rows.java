package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import dev.fencedoutbox.schema.tables.records.ReceiptRecord;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** What stands in the database about a message, and how tests meddle with it. */
final class Rows {

  private final TestDatabase database;

  Rows(TestDatabase database) {
    this.database = database;
  }

  private DSLContext dsl() {
    return database.dsl();
  }

  /** Enqueues messages of these event ids, in this order. */
  void add(String... eventIds) {
    Fixtures.enqueue(
        dsl(), List.of(eventIds).stream().map(Fixtures::message).toArray(Message[]::new));
  }

  /** Enqueues them under one ordering key. */
  void addUnder(String key, String... eventIds) {
    Fixtures.enqueue(
        dsl(),
        List.of(eventIds).stream()
            .map(id -> Fixtures.message(id).orderingKey(key))
            .toArray(Message[]::new));
  }

  /** Enqueues so many, numbered from 0 after the prefix. */
  void addMany(String prefix, int count) {
    add(IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new));
  }

  /** The delivery of that message, which is not done. */
  DeliveryRecord of(String eventId) {
    return dsl()
        .select(DELIVERY.fields())
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(eventId))
        .fetchSingle()
        .into(DELIVERY);
  }

  /** Status and attempts, such as {@code READY 1}. */
  String standing(String eventId) {
    DeliveryRecord row = of(eventId);
    return row.getStatus() + " " + row.getAttempts();
  }

  /** The receipt of that message, which is done. */
  ReceiptRecord receipt(String eventId) {
    return dsl()
        .select(RECEIPT.fields())
        .from(RECEIPT)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(RECEIPT.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(eventId))
        .fetchSingle()
        .into(RECEIPT);
  }

  /** The event ids that have receipts, in the order in which they were enqueued. */
  List<String> delivered() {
    return dsl()
        .select(MESSAGE.EVENT_ID)
        .from(RECEIPT)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(RECEIPT.MESSAGE_ID))
        .orderBy(RECEIPT.DELIVERY_ID)
        .fetch(MESSAGE.EVENT_ID);
  }

  /** The event ids whose deliveries are not done, likewise. */
  List<String> left() {
    return dsl()
        .select(MESSAGE.EVENT_ID)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .orderBy(DELIVERY.ID)
        .fetch(MESSAGE.EVENT_ID);
  }

  /** Moves the deadline of its lease into the past. */
  void expire(String eventId) {
    Fixtures.expireDelivery(dsl(), of(eventId).getId());
  }

  /** Makes it due, as if its wait were over. */
  void makeDue(String eventId) {
    int changed =
        dsl()
            .execute(
                "update outbox.delivery set next_attempt_at = clock_timestamp() - interval '1"
                    + " second' where id = ?",
                of(eventId).getId());
    if (changed != 1) {
      throw new AssertionError("changed " + changed);
    }
  }

  /** Takes it over, as another relay does once the lease is over. */
  void takeOver(String eventId) {
    int changed =
        dsl()
            .execute(
                "update outbox.delivery set epoch = epoch + 1, attempts = attempts + 1, lease_owner"
                    + " = 'another', lease_until = clock_timestamp() + interval '10 minutes' where"
                    + " id = ? and status = 'INPROGRESS'",
                of(eventId).getId());
    if (changed != 1) {
      throw new AssertionError("changed " + changed);
    }
  }

  /** Whoever deletes it fails, until {@link #allow}. */
  void forbidDeletionOf(String eventId) {
    forbid("delete", "P0001", List.of(eventId));
  }

  /** Whoever does that to them fails, until {@link #allow}. */
  void forbid(String verb, String sqlState, List<String> eventIds) {
    String ids =
        eventIds.stream().map(id -> of(id).getId().toString()).collect(Collectors.joining(", "));
    dsl()
        .execute(
            """
            create function forbid() returns trigger language plpgsql as $$
            begin
              if old.id in (%s) then
                raise exception 'not this one' using errcode = '%s';
              end if;
              return coalesce(new, old);
            end $$
            """
                .formatted(ids, sqlState));
    dsl()
        .execute(
            "create trigger forbid before %s on outbox.delivery for each row execute function forbid()"
                .formatted(verb));
  }

  /** Undoes that. */
  void allow() {
    dsl().execute("drop trigger if exists forbid on outbox.delivery");
    dsl().execute("drop function if exists forbid()");
  }
}

package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.with;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import dev.fencedoutbox.schema.tables.records.MessageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jooq.Record3;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The enqueue, one statement for one message or many. */
final class OutboxSql {

  /**
   * The first half of the advisory locks on ordering keys; with two arguments they live in a space
   * of their own, apart from every lock that an application takes with one (article 001).
   */
  static final int KEY_LOCK_NAMESPACE = 0x0B0E;

  private static final Column<Message, String> EVENT_ID =
      new Column<>("event_id", SQLDataType.CLOB, Message::eventId);
  private static final Column<Message, String> TOPIC =
      new Column<>("topic", SQLDataType.CLOB, message -> message.topic().name());
  private static final Column<Message, String> CONTENT_TYPE =
      new Column<>("content_type", SQLDataType.CLOB, message -> message.topic().contentType());
  private static final Column<Message, String> ORDERING_KEY =
      new Column<>("ordering_key", SQLDataType.CLOB, Message::orderingKey);
  private static final Column<Message, JSONB> HEADERS =
      new Column<>("headers", SQLDataType.JSONB, OutboxSql::headers);
  private static final Column<Message, JSONB> PAYLOAD_JSON =
      new Column<>(
          "payload_json",
          SQLDataType.JSONB,
          message -> message.payload() instanceof Payload.Json json ? json.value() : null);
  private static final Column<Message, byte[]> PAYLOAD_BYTES =
      new Column<>(
          "payload_bytes",
          SQLDataType.BLOB,
          message -> message.payload() instanceof Payload.Bytes bytes ? bytes.value() : null);
  private static final List<Column<Message, ?>> MESSAGE_COLUMNS =
      List.of(EVENT_ID, TOPIC, CONTENT_TYPE, ORDERING_KEY, HEADERS, PAYLOAD_JSON, PAYLOAD_BYTES);

  private record Addressed(int position, Message message, Channel channel) {}

  private static final Column<Addressed, String> OF_EVENT =
      new Column<>("event_id", SQLDataType.CLOB, a -> a.message().eventId());
  private static final Column<Addressed, String> CHANNEL =
      new Column<>("channel", SQLDataType.CLOB, a -> a.channel().name());
  private static final Column<Addressed, String> DELAY =
      Binds.interval("delay", a -> a.message().delay());
  private static final Column<Addressed, Integer> POSITION =
      new Column<>("position", SQLDataType.INTEGER, Addressed::position);

  private static final List<Column<Addressed, ?>> ADDRESSED_COLUMNS =
      List.of(OF_EVENT, CHANNEL, DELAY, POSITION);

  private static final Field<Integer> LOCKS = inline(0).as("locks");

  private OutboxSql() {}

  /** Inserts the messages whose event ids are new, and their deliveries; returns the event ids. */
  static ResultQuery<Record1<String>> enqueue(List<Message> messages) {
    List<CommonTableExpression<?>> parts = new ArrayList<>();
    CommonTableExpression<Record3<Long, String, String>> created = created(messages);
    parts.add(created);
    Integer[] keyHashes = keyHashes(messages);
    CommonTableExpression<Record1<Integer>> locked =
        keyHashes.length == 0 ? null : locked(keyHashes);
    if (locked != null) {
      parts.add(locked);
    }
    parts.add(queued(messages, created, locked));
    return with(parts).select(column(created, MESSAGE.EVENT_ID)).from(created);
  }

  private static CommonTableExpression<Record3<Long, String, String>> created(
      List<Message> messages) {
    Binds binds = Binds.of("said", messages, MESSAGE_COLUMNS);
    Map<Field<?>, Field<?>> values =
        MessageRecord.required(
            binds.get(0, EVENT_ID), binds.get(1, TOPIC), binds.get(2, CONTENT_TYPE));
    values.put(MESSAGE.ORDERING_KEY, binds.get(3, ORDERING_KEY));
    values.put(MESSAGE.HEADERS, binds.get(4, HEADERS));
    values.put(MESSAGE.PAYLOAD_JSON, binds.get(5, PAYLOAD_JSON));
    values.put(MESSAGE.PAYLOAD_BYTES, binds.get(6, PAYLOAD_BYTES));
    return name("created_messages")
        .as(
            insertInto(MESSAGE)
                .columns(values.keySet())
                .select(selectFrom(values, binds.source()))
                .onConflict(MESSAGE.EVENT_ID)
                .doNothing()
                .returningResult(MESSAGE.ID, MESSAGE.EVENT_ID, MESSAGE.ORDERING_KEY));
  }

  private static Select<?> selectFrom(Map<Field<?>, Field<?>> values, @Nullable Table<?> source) {
    return source == null ? select(values.values()) : select(values.values()).from(source);
  }

  /**
   * The ids of one ordering key are drawn under its lock, so their order is that of the commits.
   */
  private static CommonTableExpression<Record1<Long>> queued(
      List<Message> messages,
      CommonTableExpression<Record3<Long, String, String>> created,
      @Nullable CommonTableExpression<Record1<Integer>> locked) {
    Binds binds = Binds.of("addressed", addressed(messages), ADDRESSED_COLUMNS);
    Map<Field<?>, Field<?>> values =
        DeliveryRecord.required(column(created, MESSAGE.ID), binds.get(1, CHANNEL));
    values.put(DELIVERY.ORDERING_KEY, column(created, MESSAGE.ORDERING_KEY));
    values.put(DELIVERY.NEXT_ATTEMPT_AT, statementTimestamp().add(binds.getInterval(2, DELAY)));
    Table<?> ofCreated =
        binds.source() == null
            ? created
            : created
                .join(binds.source())
                .on(column(created, MESSAGE.EVENT_ID).eq(binds.get(0, OF_EVENT)));
    Table<?> underLock =
        locked == null ? ofCreated : ofCreated.join(locked).on(column(locked, LOCKS).gt(inline(0)));
    return name("queued_deliveries")
        .as(
            insertInto(DELIVERY)
                .columns(values.keySet())
                .select(
                    select(values.values())
                        .from(underLock)
                        .orderBy(
                            binds.source() == null ? noField() : List.of(binds.get(3, POSITION))))
                .returningResult(DELIVERY.ID));
  }

  private static List<Field<?>> noField() {
    return List.of();
  }

  private static List<Addressed> addressed(List<Message> messages) {
    List<Addressed> all = new ArrayList<>();
    for (Message message : messages) {
      for (Channel channel : message.channels()) {
        all.add(new Addressed(all.size(), message, channel));
      }
    }
    return all;
  }

  /** Sorted, so that two enqueues of several keys cannot wait for each other. */
  private static Integer[] keyHashes(List<Message> messages) {
    return messages.stream()
        .map(Message::orderingKey)
        .filter(Objects::nonNull)
        .map(String::hashCode)
        .distinct()
        .sorted()
        .toArray(Integer[]::new);
  }

  private static CommonTableExpression<Record1<Integer>> locked(Integer[] keyHashes) {
    Table<?> hashes = unnest(val(keyHashes)).as("hashes", "key_hash");
    Field<String> lock =
        function(
                systemName("pg_advisory_xact_lock"),
                SQLDataType.CLOB,
                inline(KEY_LOCK_NAMESPACE),
                Objects.requireNonNull(hashes.field(0, SQLDataType.INTEGER)))
            .cast(SQLDataType.CLOB);
    return name("locked_keys").asMaterialized(select(count(lock).as(LOCKS)).from(hashes));
  }

  private static @Nullable JSONB headers(Message message) {
    return message.headers().isEmpty() ? null : JSONB.valueOf(JsonText.object(message.headers()));
  }

  private static <T> Field<T> column(Table<?> table, Field<T> column) {
    return Objects.requireNonNull(table.field(column));
  }
}

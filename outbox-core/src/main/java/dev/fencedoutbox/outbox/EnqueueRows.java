package dev.fencedoutbox.outbox;

import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.internal.JsonStrings;
import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.internal.Rendered;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** What an enqueue sends: a row per message, and a row per message and channel. */
final class EnqueueRows {

  static final Column<Said, String> EVENT_ID = said("event_id", m -> m.eventId());
  static final Column<Said, String> TOPIC = said("topic", m -> m.topic().name());
  static final Column<Said, String> CONTENT_TYPE =
      said("content_type", m -> m.topic().contentType());
  static final Column<Said, String> ORDERING_KEY = said("ordering_key", m -> m.orderingKey());
  static final Column<Said, JSONB> HEADERS =
      said("headers", SQLDataType.JSONB, EnqueueRows::headers);
  static final Column<Said, JSONB> PAYLOAD_JSON =
      said("payload_json", SQLDataType.JSONB, EnqueueRows::json);
  static final Column<Said, byte[]> PAYLOAD_BYTES =
      said("payload_bytes", SQLDataType.BLOB, EnqueueRows::bytes);
  static final Column<Said, Integer> SAID_POSITION =
      new Column<>("position", SQLDataType.INTEGER, Said::position);

  static final Column<Addressed, String> OF_EVENT =
      new Column<>("event_id", SQLDataType.CLOB, a -> a.message().eventId());
  static final Column<Addressed, String> CHANNEL =
      new Column<>("channel", SQLDataType.CLOB, a -> a.channel().name());
  static final Column<Addressed, String> DELAY =
      new Column<>("delay", SQLDataType.CLOB, a -> a.message().delay().toString());
  static final Column<Addressed, Integer> POSITION =
      new Column<>("position", SQLDataType.INTEGER, Addressed::position);

  private static final String SAID = "said_messages";
  private static final List<Column<Said, ?>> OF_SAID =
      List.of(
          EVENT_ID,
          TOPIC,
          CONTENT_TYPE,
          ORDERING_KEY,
          HEADERS,
          PAYLOAD_JSON,
          PAYLOAD_BYTES,
          SAID_POSITION);

  private static final String ADDRESSED = "addressed_deliveries";
  private static final List<Column<Addressed, ?>> OF_ADDRESSED =
      List.of(OF_EVENT, CHANNEL, DELAY, POSITION);

  private static final String KEY_HASHES = "key_hashes";

  private final List<Said> said;
  private final List<Addressed> addressed;
  private final Integer[] keyHashes;

  private EnqueueRows(List<Said> said, List<Addressed> addressed, Integer[] keyHashes) {
    this.said = said;
    this.addressed = addressed;
    this.keyHashes = keyHashes;
  }

  /** A message, and its place among those that are inserted. */
  record Said(int position, Message message) {}

  /** A message on one of its channels, and its place among the deliveries that are inserted. */
  record Addressed(int position, Message message, Channel channel) {}

  /** All that the text of an enqueue depends on: neither values nor how many there are. */
  record Shape(boolean withKeys, boolean ofManyMessages, boolean ofManyDeliveries) {

    Binds messages() {
      return Binds.placeholders(SAID, ofManyMessages, OF_SAID);
    }

    Binds deliveries() {
      return Binds.placeholders(ADDRESSED, ofManyDeliveries, OF_ADDRESSED);
    }

    @Nullable Field<Integer[]> keyHashes() {
      return withKeys
          ? Rendered.placeholder(KEY_HASHES, SQLDataType.INTEGER.getArrayDataType())
          : null;
    }
  }

  /**
   * The rows of these messages.
   *
   * @param messages one or more
   * @throws IllegalArgumentException if there are more ordering keys than the server's lock table
   *     has room for
   */
  static EnqueueRows of(List<Message> messages) {
    return new EnqueueRows(said(messages), addressed(messages), hashes(messages));
  }

  Shape shape() {
    return new Shape(keyHashes.length > 0, said.size() > 1, addressed.size() > 1);
  }

  Binds messages() {
    return Binds.of(SAID, said, OF_SAID);
  }

  Binds deliveries() {
    return Binds.of(ADDRESSED, addressed, OF_ADDRESSED);
  }

  /** A number for each ordering key; null if there is none. */
  @Nullable Field<Integer[]> keyHashes() {
    return keyHashes.length == 0 ? null : val(keyHashes);
  }

  /** What to send for each placeholder of the {@link #shape}, and for some that it may not have. */
  Map<String, Field<?>> values() {
    Map<String, Field<?>> values = new HashMap<>();
    OF_SAID.forEach(column -> values.put(column.placeholderName(SAID), column.sentOf(said)));
    OF_ADDRESSED.forEach(
        column -> values.put(column.placeholderName(ADDRESSED), column.sentOf(addressed)));
    values.put(KEY_HASHES, val(keyHashes));
    return values;
  }

  /** Messages without a key by event id, then those with one as they were given. */
  private static List<Said> said(List<Message> messages) {
    Comparator<Message> order =
        Comparator.comparing(
            message -> message.orderingKey() == null ? message.eventId() : null,
            Comparator.nullsLast(Comparator.<String>naturalOrder()));
    List<Said> all = new ArrayList<>();
    messages.stream().sorted(order).forEach(m -> all.add(new Said(all.size(), m)));
    return all;
  }

  /** As they were given. */
  private static List<Addressed> addressed(List<Message> messages) {
    List<Addressed> all = new ArrayList<>();
    for (Message message : messages) {
      for (Channel channel : message.channels()) {
        all.add(new Addressed(all.size(), message, channel));
      }
    }
    return all;
  }

  /** Sorted, so that enqueues of several keys take locks in one order. */
  private static Integer[] hashes(List<Message> messages) {
    Integer[] hashes = KeyLocks.hashes(messages.stream().map(Message::orderingKey));
    if (hashes.length > KeyLocks.MAX_KEYS) {
      throw new IllegalArgumentException(
          "One enqueue may name %,d ordering keys and names %,d, each of which takes a lock on the server. Nothing was sent. Make several calls in transactions of their own."
              .formatted(KeyLocks.MAX_KEYS, hashes.length));
    }
    return hashes;
  }

  /** A part of a message, which may be missing. */
  private interface Part<V> {
    @Nullable V of(Message message);
  }

  private static Column<Said, String> said(String name, Part<String> part) {
    return said(name, SQLDataType.CLOB, part);
  }

  private static <V> Column<Said, V> said(String name, DataType<V> type, Part<V> part) {
    return new Column<>(name, type, row -> part.of(row.message()));
  }

  private static @Nullable JSONB headers(Message message) {
    return message.headers().isEmpty()
        ? null
        : JSONB.valueOf(JsonStrings.object(message.headers()));
  }

  private static @Nullable JSONB json(Message message) {
    return message.payload() instanceof Payload.Json json ? json.value() : null;
  }

  private static byte @Nullable [] bytes(Message message) {
    return message.payload() instanceof Payload.Bytes bytes ? bytes.value() : null;
  }
}

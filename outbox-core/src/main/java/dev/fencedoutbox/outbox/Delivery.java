package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * A claimed delivery: the message to deliver, and where. {@link Topic#payloadOf} reads its payload.
 *
 * <p>Immutable and thread-safe.
 */
public final class Delivery {

  static final List<Field<?>> FIELDS =
      List.of(
          DELIVERY.ID,
          DELIVERY.CHANNEL,
          DELIVERY.STATUS,
          DELIVERY.NEXT_ATTEMPT_AT,
          MESSAGE.EVENT_ID,
          MESSAGE.TOPIC,
          MESSAGE.CONTENT_TYPE,
          MESSAGE.ORDERING_KEY,
          MESSAGE.HEADERS,
          MESSAGE.CREATED_AT,
          MESSAGE.PAYLOAD_JSON,
          MESSAGE.PAYLOAD_BYTES);

  private final Record row;

  Delivery(Record row) {
    this.row = row;
  }

  /**
   * The delivery in a row that a claim returned. No {@code default}: whoever adds a status says
   * here whether such a row is handed out.
   */
  static Delivery claimed(Record row) {
    return switch (row.get(DELIVERY.STATUS)) {
      case INPROGRESS -> new Delivery(row);
      case READY, DEAD ->
          throw new IllegalStateException(
              "A claim returned delivery %d as %s, so it was not handed out. Does a trigger change outbox.delivery?"
                  .formatted(row.get(DELIVERY.ID), row.get(DELIVERY.STATUS)));
    };
  }

  /** The delivery's own identity, for logs; another delivery of the same message has another. */
  public long id() {
    return row.get(DELIVERY.ID);
  }

  /** The channel it was claimed on. */
  public Channel channel() {
    return new Channel(row.get(DELIVERY.CHANNEL));
  }

  /** The event's identity, the same on every attempt and channel; consumers deduplicate by it. */
  public String eventId() {
    return row.get(MESSAGE.EVENT_ID);
  }

  /** The name of the topic. */
  public String topic() {
    return row.get(MESSAGE.TOPIC);
  }

  /** The media type of the payload. */
  public String contentType() {
    return row.get(MESSAGE.CONTENT_TYPE);
  }

  /** The ordering key of the message. */
  public @Nullable String orderingKey() {
    return row.get(MESSAGE.ORDERING_KEY);
  }

  /** The headers of the message; empty if it has none. */
  public Map<String, String> headers() {
    @Nullable JSONB headers = row.get(MESSAGE.HEADERS);
    return headers == null ? Map.of() : JsonText.textMembers(headers.data());
  }

  /** When it became due, by the database's clock. */
  public OffsetDateTime dueAt() {
    return row.get(DELIVERY.NEXT_ATTEMPT_AT);
  }

  /** When the message was enqueued, by the database's clock. */
  public OffsetDateTime enqueuedAt() {
    return row.get(MESSAGE.CREATED_AT);
  }

  /**
   * The payload as stored.
   *
   * @throws IllegalArgumentException if it is stored as bytes
   */
  public JSONB json() {
    return stored(row.get(MESSAGE.PAYLOAD_JSON), "bytes", "bytes()");
  }

  /**
   * The payload as stored, as a copy.
   *
   * @throws IllegalArgumentException if it is stored as JSON
   */
  public byte[] bytes() {
    return stored(row.get(MESSAGE.PAYLOAD_BYTES), "JSON", "json()").clone();
  }

  /** The payload as it goes over a wire, as a copy: JSON in UTF-8, bytes to the letter. */
  public byte[] body() {
    return row.get(MESSAGE.PAYLOAD_BYTES) == null ? json().data().getBytes(UTF_8) : bytes();
  }

  private <T> T stored(@Nullable T payload, String instead, String remedy) {
    if (payload == null) {
      throw new IllegalArgumentException(
          "The payload of message %s is stored as %s; read it with %s."
              .formatted(eventId(), instead, remedy));
    }
    return payload;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Delivery that && row.equals(that.row);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id());
  }

  /** Without the payload. */
  @Override
  public String toString() {
    return "delivery %d of message %s on %s".formatted(id(), eventId(), channel());
  }
}

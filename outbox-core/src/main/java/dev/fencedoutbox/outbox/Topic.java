package dev.fencedoutbox.outbox;

import dev.fencedoutbox.internal.Texts;
import java.util.function.Function;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * A kind of event: its name and the type of its payload, with the converter between that type and
 * what is stored. Declare each once, as a constant.
 *
 * <pre>{@code
 * static final Topic<OrderPlaced> ORDER_PLACED = Topic.json("order.placed", OrderPlaced.CONVERTER);
 * }</pre>
 *
 * <p>Immutable, and thread-safe if its converter is.
 *
 * @param <T> the type of the payload
 */
public final class Topic<T> {

  private final String name;
  private final String contentType;
  private final Function<T, @Nullable Payload> write;
  private final Function<Delivery, @Nullable T> read;

  private Topic(
      String name,
      String contentType,
      Function<T, @Nullable Payload> write,
      Function<Delivery, @Nullable T> read) {
    this.name = Texts.requireName("A topic's name", name);
    this.contentType = Texts.requireName("A content type", contentType);
    this.write = write;
    this.read = read;
  }

  /**
   * A topic whose payload is stored as {@code jsonb}. That keeps the value, not the text: the order
   * of keys, repeated keys and white space are lost; take {@link #bytes} where they matter.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   */
  public static <T> Topic<T> json(String name, Converter<JSONB, T> converter) {
    return new Topic<>(
        name,
        "application/json",
        payload -> {
          @Nullable JSONB json = converter.to(payload);
          return json == null ? null : new Payload.Json(json);
        },
        delivery -> converter.from(delivery.json()));
  }

  /**
   * A topic whose payload is stored as bytes, to the letter.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   * @param contentType the media type, such as {@code application/x-protobuf}
   */
  public static <T> Topic<T> bytes(
      String name, String contentType, Converter<byte[], T> converter) {
    return new Topic<>(
        name,
        contentType,
        payload -> {
          byte @Nullable [] bytes = converter.to(payload);
          return bytes == null ? null : new Payload.Bytes(bytes);
        },
        delivery -> converter.from(delivery.bytes()));
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** The media type of the payload. */
  public String contentType() {
    return contentType;
  }

  /**
   * A message of this topic with a random event id, for the default channel.
   *
   * @throws IllegalArgumentException if the payload is null, converts to null, or cannot be stored
   */
  public Message message(T payload) {
    Payload stored = payload == null ? null : write.apply(payload);
    if (stored == null) {
      throw new IllegalArgumentException(
          "The payload of topic %s is null or converts to null. Nothing was sent. A JSON null is JSONB.valueOf(\"null\")."
              .formatted(name));
    }
    return new Message(this, stored);
  }

  /**
   * The payload of a delivery of this topic.
   *
   * @throws IllegalArgumentException if the message is of another topic or its payload is stored
   *     otherwise
   */
  public T payloadOf(Delivery delivery) {
    if (!delivery.topic().equals(name)) {
      throw new IllegalArgumentException(
          "Message %s is of topic %s, not %s."
              .formatted(delivery.eventId(), delivery.topic(), name));
    }
    T payload = read.apply(delivery);
    if (payload == null) {
      throw new IllegalArgumentException(
          "The payload of message %s of topic %s converts to null."
              .formatted(delivery.eventId(), name));
    }
    return payload;
  }

  @Override
  public String toString() {
    return name;
  }
}

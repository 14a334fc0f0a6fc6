package dev.fencedoutbox.outbox;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Texts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said, before it is enqueued. {@link Topic#message} makes one; each other method
 * returns a changed copy.
 *
 * <p>Bad values are refused here with an {@link IllegalArgumentException}, before anything is sent.
 *
 * <p>Immutable and thread-safe.
 */
public final class Message {

  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  private final Topic<?> topic;
  private final Payload payload;
  private final String eventId;
  private final @Nullable String orderingKey;
  private final List<Channel> channels;
  private final Map<String, String> headers;
  private final Duration delay;

  Message(Topic<?> topic, Payload payload) {
    this(
        topic,
        payload,
        UUID.randomUUID().toString(),
        null,
        List.of(Channel.DEFAULT),
        Map.of(),
        Duration.ZERO);
  }

  private Message(
      Topic<?> topic,
      Payload payload,
      String eventId,
      @Nullable String orderingKey,
      List<Channel> channels,
      Map<String, String> headers,
      Duration delay) {
    this.topic = topic;
    this.payload = payload;
    this.eventId = eventId;
    this.orderingKey = orderingKey;
    this.channels = channels;
    this.headers = headers;
    this.delay = delay;
  }

  /**
   * Names the event. Two messages with one event id are one event: the second is not stored, for as
   * long as the first is kept. Derive it from the business fact, such as {@code order-17-placed}.
   *
   * @param id 1 to {@value Texts#MAX_NAME} characters
   */
  public Message eventId(String id) {
    Texts.requireName("An event id", id);
    return new Message(topic, payload, id, orderingKey, channels, headers, delay);
  }

  /**
   * Messages of one key are stored in the order in which their transactions commit, to be delivered
   * in that order, one at a time on each channel. Enqueues of one key wait for each other until
   * their transactions end.
   *
   * <p>Claim them with {@link Outbox#orderedDeliveries}.
   *
   * @param key 1 to {@value Texts#MAX_NAME} characters
   */
  public Message orderingKey(String key) {
    Texts.requireName("An ordering key", key);
    return new Message(topic, payload, eventId, key, channels, headers, delay);
  }

  /** The only channel to deliver on. */
  public Message channel(String name) {
    return channels(Channel.of(name));
  }

  /**
   * The channels to deliver on, each of them once, independently of each other.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Message channels(Channel... all) {
    List<Channel> distinct = List.of(all).stream().distinct().toList();
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException(
          "A message needs a channel to be delivered on, and none was given. Nothing was sent.");
    }
    return new Message(topic, payload, eventId, orderingKey, distinct, headers, delay);
  }

  /**
   * Adds a header that travels with the payload, in place of one of the same name.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   */
  public Message header(String name, String value) {
    Texts.requireName("A header's name", name);
    Texts.requireStorable("Header " + name, value);
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Message(topic, payload, eventId, orderingKey, channels, Map.copyOf(more), delay);
  }

  /**
   * Not before this long after the enqueue, by the database's clock. A message that waits holds up
   * the later ones of its ordering key.
   *
   * @param wait 0 to 365 days
   */
  public Message after(Duration wait) {
    Durations.requireBetween("after", wait, Duration.ZERO, LONGEST_DELAY);
    return new Message(topic, payload, eventId, orderingKey, channels, headers, wait);
  }

  /** The event's identity. */
  public String eventId() {
    return eventId;
  }

  Topic<?> topic() {
    return topic;
  }

  Payload payload() {
    return payload;
  }

  @Nullable String orderingKey() {
    return orderingKey;
  }

  List<Channel> channels() {
    return channels;
  }

  Map<String, String> headers() {
    return headers;
  }

  Duration delay() {
    return delay;
  }

  /** Without the payload. */
  @Override
  public String toString() {
    return "message %s of topic %s on %s".formatted(eventId, topic, channels);
  }
}

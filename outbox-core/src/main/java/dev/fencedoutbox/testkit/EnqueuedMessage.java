package dev.fencedoutbox.testkit;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it was enqueued.
 *
 * <p>Immutable and thread-safe.
 */
public final class EnqueuedMessage {

  private static final int SHOWN = 200;

  private final Delivery message;
  private final List<Channel> channels;
  private final Duration delay;
  private final String payload;

  EnqueuedMessage(Delivery message, List<Channel> channels, Duration delay, String payload) {
    this.message = message;
    this.channels = List.copyOf(channels);
    this.delay = delay;
    this.payload = payload;
  }

  /** The name of the topic. */
  public String topic() {
    return message.topic();
  }

  /** The event's identity. */
  public String eventId() {
    return message.eventId();
  }

  /** The ordering key. */
  public @Nullable String orderingKey() {
    return message.orderingKey();
  }

  /** The channels, in the order in which they were given. */
  public List<Channel> channels() {
    return channels;
  }

  /** The headers; empty if it has none. */
  public Map<String, String> headers() {
    return message.headers();
  }

  /**
   * How long after its enqueue it is due, as its first delivery stands now; zero once that is done.
   */
  public Duration delay() {
    return delay;
  }

  /**
   * The payload.
   *
   * @throws IllegalArgumentException if the message is of another topic
   */
  public <T> T payload(Topic<T> topic) {
    return topic.payloadOf(message);
  }

  /** With the beginning of the payload: this is for tests. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("%s %s on %s".formatted(topic(), eventId(), channels));
    if (orderingKey() != null) {
      text.append(", key ").append(orderingKey());
    }
    if (!delay.isZero()) {
      text.append(", after ").append(delay);
    }
    if (!headers().isEmpty()) {
      text.append(", headers ").append(headers());
    }
    String shown = payload.length() > SHOWN ? payload.substring(0, SHOWN) + "..." : payload;
    return text.append(": ").append(shown).toString();
  }
}

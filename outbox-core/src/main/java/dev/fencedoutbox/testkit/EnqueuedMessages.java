package dev.fencedoutbox.testkit;

import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.MESSAGE_STATUS;

import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.StoredMessages;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/**
 * The messages that are stored, as a business method left them: {@linkplain #in read} in its own
 * transaction, before that commits, or afterwards.
 *
 * <pre>{@code
 * shop.placeOrder(order);
 * EnqueuedMessages.in(dsl).assertOnlyEnqueued(ORDER_PLACED, placed -> placed.orderId().equals("17"));
 * }</pre>
 *
 * <p>What was read does not change any more. Immutable and thread-safe.
 */
public final class EnqueuedMessages {

  private final List<EnqueuedMessage> messages;

  private EnqueuedMessages(List<EnqueuedMessage> messages) {
    this.messages = List.copyOf(messages);
  }

  /** All that the caller can see now, delivered or not. */
  public static EnqueuedMessages in(DSLContext dsl) {
    Result<Record> rows =
        HostContext.of(dsl)
            .select(MESSAGE.fields())
            .select(MESSAGE_STATUS.CHANNEL, MESSAGE_STATUS.NEXT_ATTEMPT_AT)
            .from(MESSAGE)
            .join(MESSAGE_STATUS)
            .on(MESSAGE_STATUS.MESSAGE_ID.eq(MESSAGE.ID))
            .orderBy(MESSAGE_STATUS.DELIVERY_ID.asc().nullsFirst(), MESSAGE.ID)
            .fetch();
    return new EnqueuedMessages(
        rows.intoGroups(MESSAGE.ID).values().stream().map(EnqueuedMessages::message).toList());
  }

  private static EnqueuedMessage message(Result<Record> standings) {
    Record first = standings.get(0);
    Delivery stored = StoredMessages.read(first);
    List<Channel> channels =
        standings.stream()
            .<@Nullable String>map(row -> row.get(MESSAGE_STATUS.CHANNEL))
            .filter(Objects::nonNull)
            .map(Channel::of)
            .toList();
    @Nullable OffsetDateTime due = first.get(MESSAGE_STATUS.NEXT_ATTEMPT_AT);
    Duration delay = due == null ? Duration.ZERO : Duration.between(stored.enqueuedAt(), due);
    @Nullable JSONB json = first.get(MESSAGE.PAYLOAD_JSON);
    String payload = json == null ? "%d bytes".formatted(stored.bytes().length) : json.data();
    return new EnqueuedMessage(stored, channels, delay, payload);
  }

  /** Those that were not there before. */
  public EnqueuedMessages since(EnqueuedMessages earlier) {
    Set<String> before =
        earlier.messages.stream().map(EnqueuedMessage::eventId).collect(Collectors.toSet());
    return new EnqueuedMessages(
        messages.stream().filter(message -> !before.contains(message.eventId())).toList());
  }

  /** All, the newest last. */
  public List<EnqueuedMessage> all() {
    return messages;
  }

  /** Those of a topic, the newest last. */
  public List<EnqueuedMessage> of(Topic<?> topic) {
    return messages.stream().filter(message -> message.topic().equals(topic.name())).toList();
  }

  /** The payloads of a topic, the newest last. */
  public <T> List<T> payloads(Topic<T> topic) {
    return of(topic).stream().map(message -> message.payload(topic)).toList();
  }

  /**
   * Demands exactly one message of that topic whose payload matches, whatever else there is.
   *
   * @return that message
   * @throws AssertionError otherwise; it names what is there
   */
  public <T> EnqueuedMessage assertEnqueued(Topic<T> topic, Predicate<? super T> payload) {
    List<EnqueuedMessage> matching =
        of(topic).stream().filter(message -> payload.test(message.payload(topic))).toList();
    if (matching.size() != 1) {
      throw new AssertionError(
          "Expected one message of topic %s with such a payload and found %d. %s"
              .formatted(topic, matching.size(), this));
    }
    return matching.get(0);
  }

  /**
   * Demands exactly one message of that topic whose payload matches, and no other of any topic.
   *
   * @return that message
   * @throws AssertionError otherwise; it names what is there
   */
  public <T> EnqueuedMessage assertOnlyEnqueued(Topic<T> topic, Predicate<? super T> payload) {
    EnqueuedMessage found = assertEnqueued(topic, payload);
    if (messages.size() > 1) {
      throw new AssertionError(
          "Expected no message but %s of topic %s. %s".formatted(found.eventId(), topic, this));
    }
    return found;
  }

  /**
   * Demands that there is none.
   *
   * @throws AssertionError otherwise; it names what is there
   */
  public void assertNothingEnqueued() {
    if (!messages.isEmpty()) {
      throw new AssertionError("Expected no message. " + this);
    }
  }

  /** One message a line. */
  @Override
  public String toString() {
    return messages.isEmpty()
        ? "Nothing was enqueued."
        : IntStream.range(0, messages.size())
            .mapToObj(i -> "%n  %d. %s".formatted(i + 1, messages.get(i)))
            .collect(Collectors.joining("", "Enqueued:", ""));
  }
}

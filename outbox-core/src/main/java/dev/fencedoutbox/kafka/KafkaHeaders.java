package dev.fencedoutbox.kafka;

/**
 * The names of a record's headers. Their values are text in UTF-8, numbers in decimal.
 *
 * <p>The headers of the message, {@link #TRACEPARENT} and {@link #TRACESTATE} among them, are sent
 * on under the names that they have there. One that is named like a header of the publisher's own
 * is not: that would make two of it.
 */
public final class KafkaHeaders {

  /** The event's identity, the same on every attempt and channel; consumers deduplicate by it. */
  public static final String EVENT_ID = "outbox-event-id";

  /** The delivery; a message that is replayed has another. */
  public static final String DELIVERY_ID = "outbox-delivery-id";

  /** The claim: of two records of one delivery, the one with the lower epoch is the older one. */
  public static final String EPOCH = "outbox-epoch";

  /** The attempt at the delivery, 1 for the first. */
  public static final String ATTEMPT = "outbox-attempt";

  /** The message's topic, which is the Kafka topic unless the host says otherwise. */
  public static final String TOPIC = "outbox-topic";

  /** The media type of the value. */
  public static final String CONTENT_TYPE = "content-type";

  /** The trace in which the message was enqueued, if it carries one (W3C Trace Context). */
  public static final String TRACEPARENT = "traceparent";

  /** What goes with {@link #TRACEPARENT}. */
  public static final String TRACESTATE = "tracestate";

  private KafkaHeaders() {}
}

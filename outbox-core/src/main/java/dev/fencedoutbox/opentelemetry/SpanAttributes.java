package dev.fencedoutbox.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import dev.fencedoutbox.relay.Attempt;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;

/** What a span says, by OpenTelemetry's conventions for messaging; what they lack is our own. */
final class SpanAttributes {

  static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
  static final AttributeKey<Long> NOT_DELIVERED = longKey("fenced_outbox.not_delivered");

  private static final AttributeKey<String> SYSTEM = stringKey("messaging.system");
  private static final AttributeKey<String> OPERATION = stringKey("messaging.operation.name");
  private static final AttributeKey<String> OPERATION_TYPE = stringKey("messaging.operation.type");
  private static final AttributeKey<String> DESTINATION = stringKey("messaging.destination.name");
  private static final AttributeKey<String> MESSAGE_ID = stringKey("messaging.message.id");
  private static final AttributeKey<Long> COUNT = longKey("messaging.batch.message_count");
  private static final AttributeKey<String> TOPIC = stringKey("fenced_outbox.topic");
  private static final AttributeKey<Long> DELIVERY_ID = longKey("fenced_outbox.delivery.id");
  private static final AttributeKey<Long> ATTEMPT = longKey("fenced_outbox.attempt");
  private static final AttributeKey<Boolean> RECLAIMED = booleanKey("fenced_outbox.reclaimed");

  private SpanAttributes() {}

  /** Of one delivery, all of it; of several, what they have in common. */
  static Attributes ofCall(String channel, List<Attempt> attempts) {
    AttributesBuilder all =
        Attributes.builder()
            .put(SYSTEM, "fenced_outbox")
            .put(OPERATION, "process")
            .put(OPERATION_TYPE, "process")
            .put(DESTINATION, channel);
    if (attempts.size() == 1) {
      all.putAll(ofDelivery(attempts.get(0)));
    } else {
      all.put(COUNT, (long) attempts.size());
    }
    return all.build();
  }

  static Attributes ofDelivery(Attempt attempt) {
    return Attributes.builder()
        .put(MESSAGE_ID, attempt.eventId())
        .put(TOPIC, attempt.delivery().topic())
        .put(DELIVERY_ID, attempt.delivery().id())
        .put(ATTEMPT, (long) attempt.number())
        .put(RECLAIMED, attempt.reclaimed())
        .build();
  }
}

package dev.fencedoutbox.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.relay.Attempt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** What is sent for a delivery. Thread-safe if the host's function is. */
final class Records {

  private final Function<Delivery, String> destination;

  Records(Function<Delivery, String> destination) {
    this.destination = destination;
  }

  /**
   * Without a time of its own, so that a late delivery is not too old for the topic's retention.
   */
  ProducerRecord<byte[], byte[]> of(Attempt attempt) {
    Delivery delivery = attempt.delivery();
    String key = delivery.orderingKey();
    return new ProducerRecord<>(
        destination.apply(delivery),
        null,
        key == null ? null : key.getBytes(UTF_8),
        delivery.body(),
        headers(attempt));
  }

  private static List<Header> headers(Attempt attempt) {
    Delivery delivery = attempt.delivery();
    Map<String, String> all = new LinkedHashMap<>(delivery.headers());
    all.put(KafkaHeaders.EVENT_ID, delivery.eventId());
    all.put(KafkaHeaders.DELIVERY_ID, Long.toString(delivery.id()));
    all.put(KafkaHeaders.EPOCH, Long.toString(attempt.lease().epoch().value()));
    all.put(KafkaHeaders.ATTEMPT, Integer.toString(attempt.number()));
    all.put(KafkaHeaders.TOPIC, delivery.topic());
    all.put(KafkaHeaders.CONTENT_TYPE, delivery.contentType());
    return all.entrySet().stream()
        .<Header>map(one -> new RecordHeader(one.getKey(), one.getValue().getBytes(UTF_8)))
        .toList();
  }
}

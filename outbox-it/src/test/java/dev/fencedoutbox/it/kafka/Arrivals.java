package dev.fencedoutbox.it.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.kafka.KafkaHeaders;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What arrived, as a consumer sees it. */
final class Arrivals {

  private Arrivals() {}

  static String eventId(ConsumerRecord<byte[], byte[]> record) {
    return KafkaBroker.headers(record).getOrDefault(KafkaHeaders.EVENT_ID, "none");
  }

  /** The event ids of each key in the order of their arrival, repeated ones as well. */
  static Map<String, List<String>> byKey(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .collect(
            groupingBy(
                record -> new String(record.key(), UTF_8), mapping(Arrivals::eventId, toList())));
  }
}

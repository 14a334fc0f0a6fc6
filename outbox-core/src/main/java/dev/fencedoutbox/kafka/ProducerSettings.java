package dev.fencedoutbox.kafka;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer's properties: the host's, what the publisher's promises need, and defaults that fit a
 * relay's leases.
 *
 * <p>Immutable and thread-safe.
 */
record ProducerSettings(Map<String, Object> properties) {

  private static final long MAX_BLOCK = 5_000;
  private static final long REQUEST_TIMEOUT = 8_000;
  private static final long DELIVERY_TIMEOUT = 10_000;

  /** For the producer to notice that a record has timed out, and to say so. */
  private static final long GRACE = 1_000;

  /**
   * @throws IllegalArgumentException if the host's contradict what is needed
   */
  static ProducerSettings of(Map<?, ?> hosts) {
    Map<String, Object> all = new HashMap<>();
    hosts.forEach(
        (name, value) -> {
          if (value != null) {
            all.put(nameOf(name), value);
          }
        });
    if ("-1".equals(String.valueOf(all.get(ACKS_CONFIG)))) {
      all.put(ACKS_CONFIG, "all"); // Kafka's other word for it
    }
    demand(all, ACKS_CONFIG, "all", "only what all in-sync replicas have is delivered");
    demand(all, ENABLE_IDEMPOTENCE_CONFIG, true, "a request that is repeated must not be doubled");
    demand(all, PARTITIONER_IGNORE_KEYS_CONFIG, false, "one ordering key needs one partition");
    demand(all, KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class, "keys are sent as bytes");
    demand(all, VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class, "so are values");
    if (all.containsKey(TRANSACTIONAL_ID_CONFIG)) {
      throw refused(
          TRANSACTIONAL_ID_CONFIG,
          all.get(TRANSACTIONAL_ID_CONFIG),
          "must not be set, since each record is acknowledged by itself");
    }
    all.putIfAbsent(LINGER_MS_CONFIG, 0L); // Kafka's 5 ms would only delay a lone record
    all.putIfAbsent(MAX_BLOCK_MS_CONFIG, MAX_BLOCK);
    requireUpToADay(all, LINGER_MS_CONFIG, MAX_BLOCK_MS_CONFIG);
    addTimeouts(all);
    requireUpToADay(all, DELIVERY_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS_CONFIG);
    return new ProducerSettings(Map.copyOf(all));
  }

  private static String nameOf(Object name) {
    if (name instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(
        "The name of a producer's property must be text and is %s. Nothing was started."
            .formatted(name));
  }

  private static void demand(Map<String, Object> all, String name, Object needed, String reason) {
    Object given = all.putIfAbsent(name, needed);
    if (given != null && !text(given).equals(text(needed))) {
      throw refused(name, given, "must be %s: %s".formatted(text(needed), reason));
    }
  }

  private static String text(Object value) {
    return value instanceof Class<?> type ? type.getName() : String.valueOf(value);
  }

  private static IllegalArgumentException refused(String name, Object given, String rule) {
    return new IllegalArgumentException(
        "The producer's property %s is %s and %s. Nothing was started. Leave it out."
            .formatted(name, text(given), rule));
  }

  private static void requireUpToADay(Map<String, Object> all, String... names) {
    for (String name : names) {
      Durations.requireBetween(
          "The producer's property " + name,
          Duration.ofMillis(millis(all, name)),
          Duration.ZERO,
          Duration.ofDays(1));
    }
  }

  /** Kafka's own defaults, 30 s and 2 minutes, would outlast most leases. */
  private static void addTimeouts(Map<String, Object> all) {
    long linger = millis(all, LINGER_MS_CONFIG);
    if (all.containsKey(DELIVERY_TIMEOUT_MS_CONFIG)) {
      long rest = millis(all, DELIVERY_TIMEOUT_MS_CONFIG) - linger;
      all.putIfAbsent(
          REQUEST_TIMEOUT_MS_CONFIG, (int) Math.max(1, Math.min(REQUEST_TIMEOUT, rest)));
    } else {
      all.putIfAbsent(REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST_TIMEOUT);
      long least = millis(all, REQUEST_TIMEOUT_MS_CONFIG) + linger;
      all.put(DELIVERY_TIMEOUT_MS_CONFIG, (int) Math.max(DELIVERY_TIMEOUT, least));
    }
  }

  private static long millis(Map<String, Object> all, String name) {
    return (Long) ConfigDef.parseType(name, all.get(name), ConfigDef.Type.LONG);
  }

  /** What one record may take: the call of {@code send}, and the broker's answer after it. */
  Duration longest() {
    return Duration.ofMillis(
        millis(properties, MAX_BLOCK_MS_CONFIG)
            + millis(properties, DELIVERY_TIMEOUT_MS_CONFIG)
            + GRACE);
  }
}

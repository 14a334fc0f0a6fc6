package dev.fencedoutbox.kafka;

import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.BatchHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Received;
import dev.fencedoutbox.relay.TimeBound;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;

/**
 * Delivers to Kafka; a delivery is completed when all in-sync replicas have acknowledged its
 * record.
 *
 * <pre>{@code
 * try (KafkaPublisher publisher =
 *         KafkaPublisher.from(Map.of("bootstrap.servers", "broker:9092")).open();
 *     Relay relay =
 *         Relay.from(dataSource).channel("kafka").onAnyTopicInBatches(500, publisher).start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Records.</b> The topic is the message's, or as the host says. The key is the ordering key
 * in UTF-8, none without one. The value is the payload as it is stored, JSON in UTF-8. {@link
 * KafkaHeaders} has the headers.
 *
 * <p><b>Order.</b> Of each ordering key one record is under way at a time; records without a key
 * and of other keys go beside it. After one that failed the later ones of its key are not sent and
 * handed back. The price is one round trip for each record of a key: an idempotent producer keeps
 * the order of what it repeats, but when a batch of records has timed out it numbers the later ones
 * anew and they succeed.
 *
 * <p><b>Latency.</b> {@code linger.ms} is 0 unless the host says otherwise, and nothing is flushed:
 * a lone record goes at once, and what waits while a request is under way goes together.
 *
 * <p><b>Outcomes.</b> Acknowledged: delivered. Refused for what the record is (too large, invalid,
 * not authorised for the topic): buried with the broker's reason. Anything else: retried, by
 * another producer if this one is dead. docs/kafka.md has the table.
 *
 * <p><b>Time.</b> {@link #longest()} bounds each record. A batch with many records of one key takes
 * many of them; another one is begun only while the lease can be trusted for so long, and what is
 * left is handed back, which costs no attempt. An interrupt ends the wait: what was not
 * acknowledged by then is retried, though it may still arrive.
 *
 * <p>Thread-safe; one may serve many relays. Close it after them. Source: article 000.
 */
public final class KafkaPublisher implements BatchHandler<Delivery>, TimeBound, AutoCloseable {

  private final Producers producers;
  private final Records records;
  private final Duration longest;

  KafkaPublisher(Producers producers, Function<Delivery, String> destination, Duration longest) {
    this.producers = producers;
    this.records = new Records(destination);
    this.longest = longest;
  }

  /**
   * The beginning of a publisher. {@code acks=all}, {@code enable.idempotence=true} and the
   * serializers are set. By default a record is under way for 10 s at the most ({@code
   * delivery.timeout.ms}), a request for 8 s ({@code request.timeout.ms}), {@code max.block.ms} is
   * 5 s and {@code linger.ms} 0; all others are Kafka's.
   *
   * @param producerProperties as a {@code KafkaProducer} takes them, {@link java.util.Properties}
   *     as well
   * @throws IllegalArgumentException if one contradicts what is set, or there is a {@code
   *     transactional.id}
   */
  public static KafkaPublisherBuilder from(Map<?, ?> producerProperties) {
    return new KafkaPublisherBuilder(ProducerSettings.of(producerProperties));
  }

  /** Sends {@code batch} and waits for the broker's answers. */
  @Override
  public List<DeliveryOutcome> handle(List<Received<Delivery>> batch) {
    Producer<byte[], byte[]> producer = producers.current();
    List<Attempt> attempts = batch.stream().map(Received::attempt).toList();
    Publication publication = new Publication(producer, records, longest, attempts);
    List<DeliveryOutcome> outcomes = publication.outcomes();
    publication.deathOfProducer().ifPresent(reason -> producers.replace(producer, reason));
    return outcomes;
  }

  /**
   * How long one record may take: {@code max.block.ms}, {@code delivery.timeout.ms} and a second
   * for the producer to say so. At the most so long after it has looked at a lease, a call has its
   * answer. The relay's leases must be longer; twice as long is good, so that a renewal may be
   * late.
   */
  @Override
  public Duration longest() {
    return longest;
  }

  /** Closes the producer. */
  @Override
  public void close() {
    producers.close(longest);
  }
}

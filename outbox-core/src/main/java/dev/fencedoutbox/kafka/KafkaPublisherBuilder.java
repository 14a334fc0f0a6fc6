package dev.fencedoutbox.kafka;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.outbox.Delivery;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * Puts a {@link KafkaPublisher} together. Bad values are refused before anything is started.
 *
 * <p>For one thread.
 */
@CheckReturnValue
public final class KafkaPublisherBuilder {

  private final ProducerSettings settings;
  private Function<Delivery, String> destination = Delivery::topic;
  private Function<Map<String, Object>, Producer<byte[], byte[]>> factory = KafkaProducer::new;

  KafkaPublisherBuilder(ProducerSettings settings) {
    this.settings = settings;
  }

  /**
   * The Kafka topic of a delivery; by default the message's topic. Kafka's names have 1 to 249 of
   * the characters {@code a-z A-Z 0-9 . _ -}.
   *
   * @param topic thread-safe; to throw is a failed attempt
   */
  public KafkaPublisherBuilder destination(Function<Delivery, String> topic) {
    destination = topic;
    return this;
  }

  /**
   * Makes the producers, such as to instrument them; by default {@code KafkaProducer::new}. One at
   * a time; the publisher closes it.
   *
   * @param maker gets the producer's properties, to be used as they are; thread-safe
   */
  public KafkaPublisherBuilder producers(
      Function<Map<String, Object>, Producer<byte[], byte[]>> maker) {
    factory = maker;
    return this;
  }

  /**
   * Makes the producer. The broker need not be there.
   *
   * @throws org.apache.kafka.common.KafkaException if Kafka's client refuses a property
   */
  public KafkaPublisher open() {
    return new KafkaPublisher(
        Producers.open(() -> factory.apply(settings.properties())),
        destination,
        settings.longest());
  }
}

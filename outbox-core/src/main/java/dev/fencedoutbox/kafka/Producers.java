package dev.fencedoutbox.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The producer in use, and the next one once that is dead. Thread-safe. */
final class Producers {

  private static final Logger LOG = LoggerFactory.getLogger(Producers.class);

  private final Supplier<Producer<byte[], byte[]>> factory;
  private @Nullable Producer<byte[], byte[]> current;
  private boolean closed;

  private Producers(Supplier<Producer<byte[], byte[]>> factory) {
    this.factory = factory;
  }

  /** With a first producer, so that bad properties are found now. */
  static Producers open(Supplier<Producer<byte[], byte[]>> factory) {
    Producers producers = new Producers(factory);
    producers.current();
    return producers;
  }

  /**
   * The producer in use.
   *
   * @throws IllegalStateException after {@link #close}
   */
  synchronized Producer<byte[], byte[]> current() {
    if (closed) {
      throw new IllegalStateException(
          "The Kafka publisher is closed. Nothing was sent. Close the relay before it.");
    }
    Producer<byte[], byte[]> producer = current;
    if (producer == null) {
      producer = factory.get();
      current = producer;
    }
    return producer;
  }

  /** Closes a producer that is dead; the next call makes another. Whoever waits for it fails. */
  void replace(Producer<byte[], byte[]> dead, String reason) {
    synchronized (this) {
      if (current != dead) {
        return;
      }
      current = null;
    }
    LOG.warn(
        "The Kafka producer is replaced: {}. What it had not sent is tried again by the next one.",
        reason);
    Thread closing = new Thread(() -> close(dead, Duration.ZERO), "outbox-kafka-close");
    closing.setDaemon(true); // a producer that is stuck may never end
    closing.start();
  }

  void close(Duration longest) {
    Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = current;
      current = null;
    }
    if (last != null) {
      close(last, longest);
    }
  }

  private static void close(Producer<byte[], byte[]> producer, Duration longest) {
    try {
      producer.close(longest);
    } catch (KafkaException e) {
      LOG.warn("The Kafka producer did not close in order; it is left behind.", e);
    }
  }
}

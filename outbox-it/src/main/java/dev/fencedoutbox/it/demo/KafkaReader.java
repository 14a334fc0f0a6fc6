package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.kafka.KafkaHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Billing as a Kafka consumer: it commits its offsets after the transactions, so what it has
 * applied may come again and nothing is passed over.
 */
final class KafkaReader implements AutoCloseable {

  /** Its consumer group. */
  static final String GROUP = "billing";

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final Billing billing;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final FutureTask<@Nullable Void> reading = new FutureTask<>(this::read);
  private volatile boolean closing;

  private KafkaReader(Billing billing, KafkaConsumer<byte[], byte[]> consumer) {
    this.billing = billing;
    this.consumer = consumer;
  }

  /** Reads from the topic's beginning. */
  static KafkaReader start(String brokers, String topic, Billing billing) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                brokers,
                "group.id",
                GROUP,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.subscribe(List.of(topic));
    KafkaReader reader = new KafkaReader(billing, consumer);
    Thread thread = new Thread(reader.reading, "billing's reader");
    thread.setDaemon(true);
    thread.start();
    return reader;
  }

  private @Nullable Void read() throws IOException {
    try (consumer) {
      while (!closing) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
          Header eventId = record.headers().lastHeader(KafkaHeaders.EVENT_ID);
          billing.take(new String(eventId.value(), UTF_8), record.value());
        }
        if (!records.isEmpty()) {
          consumer.commitSync();
        }
      }
    }
    return null;
  }

  /**
   * Returns quietly while it reads.
   *
   * @throws IllegalStateException once it has ended
   */
  void requireReading() {
    if (!reading.isDone()) {
      return;
    }
    try {
      Object unused = reading.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Billing reads no more: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
    throw new IllegalStateException("Billing reads no more: it was closed.");
  }

  /** Ends it, and waits for that. */
  @Override
  public void close() {
    closing = true;
    boolean unused = Waiting.within(CLOSING, reading::isDone);
  }
}

package dev.fencedoutbox.it.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.kafka.KafkaHeaders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Kafka's own producer for tests, which answers as a script says, in any order. */
class ScriptedProducer extends MockProducer<byte[], byte[]> {

  private final Script script;
  private final Map<String, Callback> waiting = new ConcurrentHashMap<>();

  ScriptedProducer(Script script) {
    super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    this.script = script;
  }

  static String eventId(ProducerRecord<byte[], byte[]> record) {
    return new String(record.headers().lastHeader(KafkaHeaders.EVENT_ID).value(), UTF_8);
  }

  @Override
  public synchronized Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, Callback callback) {
    Future<RecordMetadata> sent = super.send(record, null);
    waiting.put(eventId(record), callback);
    script.play(this, record);
    return sent;
  }

  /** As the broker does. */
  void acknowledge(String eventId) {
    answer(eventId, null);
  }

  void answer(ProducerRecord<byte[], byte[]> record, @Nullable RuntimeException failure) {
    answer(eventId(record), failure);
  }

  private void answer(String eventId, @Nullable RuntimeException failure) {
    Callback callback = waiting.remove(eventId);
    if (callback == null) {
      throw new AssertionError(eventId + " is not under way");
    }
    callback.onCompletion(
        new RecordMetadata(new TopicPartition("any", 0), -1, -1, -1, -1, -1), failure);
  }
}

package dev.fencedoutbox.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.process.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A real Kafka broker in a process of its own. One for all tests of a JVM; each uses topics of its
 * own. It goes when the JVM ends.
 */
public final class KafkaBroker {

  private static final class Shared {
    static final KafkaBroker BROKER = new KafkaBroker();
  }

  /** Longer than a patient producer takes. */
  public static final Duration LEASE = Duration.ofMinutes(5);

  private final KafkaServer server = KafkaServer.start();

  private KafkaBroker() {}

  /** The one of this JVM, started when it is first asked for. */
  public static KafkaBroker shared() {
    return Shared.BROKER;
  }

  /** SIGKILL. */
  public void kill() {
    server.kill();
  }

  /** After a kill: the same data, the same address. */
  public void restart() {
    server.restart();
  }

  /** SIGSTOP: it takes connections and answers nothing. */
  public void freeze() {
    server.freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    server.thaw();
  }

  /** Host and port. */
  public String address() {
    return server.address();
  }

  /** A producer's properties. */
  public Map<String, Object> patient() {
    return patient(address());
  }

  /** A producer's properties that do not give up on a busy machine. */
  public static Map<String, Object> patient(String address) {
    return Map.of(
        "bootstrap.servers", address, "max.block.ms", 30_000, "delivery.timeout.ms", 30_000);
  }

  private Map<String, Object> bootstrap() {
    return Map.of("bootstrap.servers", address());
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    server.createTopic(name, partitions, config);
  }

  /** Nobody may write to it. */
  public void forbidWriting(String topic) {
    AclBinding denied =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY));
    try (Admin admin = Admin.create(bootstrap())) {
      Void unused = KafkaServer.await(admin.createAcls(List.of(denied)).all());
    }
  }

  /** All records of a topic, each partition's in their order. */
  public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(topic, one.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
      return all;
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Map<String, Object> properties = new HashMap<>(bootstrap());
    properties.put("enable.auto.commit", false);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A record's headers, as text. */
  public static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
    return Arrays.stream(record.headers().toArray())
        .collect(Collectors.toMap(one -> one.key(), one -> new String(one.value(), UTF_8)));
  }
}

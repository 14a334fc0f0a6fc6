package dev.fencedoutbox.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
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
 * A real Kafka broker, one node that is its own controller, in a process of its own on loopback.
 * One for all tests of a JVM; each uses topics of its own. It goes when the JVM ends.
 */
public final class KafkaBroker {

  private static final class Shared {
    static final KafkaBroker BROKER = new KafkaBroker();
  }

  /** Longer than a patient producer takes. */
  public static final Duration LEASE = Duration.ofMinutes(5);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String address;
  private final Path directory;
  private ChildJvm process;

  private KafkaBroker() {
    List<Integer> ports = freePorts();
    address = "127.0.0.1:" + ports.get(0);
    try {
      directory = Files.createTempDirectory("kafka-broker-");
      Files.writeString(
          directory.resolve("server.properties"),
          settings(ports.get(0), ports.get(1), directory.resolve("data")),
          UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = start();
  }

  /** The one of this JVM, started when it is first asked for. */
  public static KafkaBroker shared() {
    return Shared.BROKER;
  }

  private static List<Integer> freePorts() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket other = new ServerSocket(0, 1, loopback)) {
      return List.of(one.getLocalPort(), other.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * After a kill, the controller refuses the broker until its session before that has timed out.
   */
  private static String settings(int port, int controllerPort, Path data) {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%2$d
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        log.dirs=%3$s
        log.cleaner.dedupe.buffer.size=2000000
        broker.session.timeout.ms=2000
        broker.heartbeat.interval.ms=200
        num.network.threads=1
        num.io.threads=2
        auto.create.topics.enable=false
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        allow.everyone.if.no.acl.found=true
        """
        .formatted(port, controllerPort, data);
  }

  private ChildJvm start() {
    ChildJvm child = ChildJvm.start(KafkaBrokerChild.class, directory.toString());
    child.await("READY");
    return child;
  }

  /** SIGKILL. */
  public void kill() {
    int status = process.kill();
    if (status != ChildJvm.KILLED) {
      throw new AssertionError("The broker ended by itself, with " + status);
    }
  }

  /** After a kill: the same data, the same address. */
  public void restart() {
    process = start();
  }

  /** SIGSTOP: it takes connections and answers nothing. */
  public void freeze() {
    process.freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    process.thaw();
  }

  /** Host and port. */
  public String address() {
    return address;
  }

  /** A producer's properties. */
  public Map<String, Object> patient() {
    return patient(address);
  }

  /** A producer's properties that do not give up on a busy machine. */
  public static Map<String, Object> patient(String address) {
    return Map.of(
        "bootstrap.servers", address, "max.block.ms", 30_000, "delivery.timeout.ms", 30_000);
  }

  private Map<String, Object> bootstrap() {
    return Map.of("bootstrap.servers", address);
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    try (Admin admin = Admin.create(bootstrap())) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(config);
      await(admin.createTopics(List.of(topic)).all());
    }
  }

  /** Nobody may write to it. */
  public void forbidWriting(String topic) {
    AclBinding denied =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY));
    try (Admin admin = Admin.create(bootstrap())) {
      await(admin.createAcls(List.of(denied)).all());
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

  private static <T> void await(KafkaFuture<T> future) {
    try {
      T unused = future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

package dev.fencedoutbox.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/**
 * A real Kafka broker, one node that is its own controller, in a process of its own on loopback.
 * Its data go with it, at the latest when this JVM ends.
 */
public final class KafkaServer implements AutoCloseable {

  /** What a process returns that died of SIGKILL. */
  private static final int KILLED = 128 + 9;

  private final String address;
  private final Path directory;
  private JvmProcess process;
  private volatile boolean ready;

  private KafkaServer(Path directory, List<Integer> ports) throws IOException {
    this.directory = directory;
    address = "127.0.0.1:" + ports.get(0);
    Files.writeString(
        directory.resolve("server.properties"),
        settings(ports.get(0), ports.get(1), directory.resolve("data")),
        UTF_8);
    process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end of the broker's data"));
  }

  /** Starts one, and waits until it takes requests. */
  public static KafkaServer start() {
    KafkaServer server;
    try {
      server = new KafkaServer(Files.createTempDirectory("kafka-broker-"), freePorts());
    } catch (IOException e) {
      throw new UncheckedIOException("The files of a broker could not be written", e);
    }
    server.awaitReady();
    return server;
  }

  private static List<Integer> freePorts() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket other = new ServerSocket(0, 1, loopback)) {
      return List.of(one.getLocalPort(), other.getLocalPort());
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
        offsets.topic.num.partitions=1
        offsets.topic.replication.factor=1
        group.initial.rebalance.delay.ms=0
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        allow.everyone.if.no.acl.found=true
        """
        .formatted(port, controllerPort, data);
  }

  private JvmProcess launch() {
    ready = false;
    return JvmProcess.running("the broker", KafkaServerMain.class)
        .option("-Xmx128m")
        .start(this::hear, directory.toString());
  }

  private void hear(String line) {
    if (line.equals(KafkaServerMain.READY)) {
      ready = true;
    }
  }

  private void awaitReady() {
    try {
      Waiting.until(this::isReady, "The broker did not start");
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private boolean isReady() {
    if (!ready) {
      process.requireAlive();
    }
    return ready;
  }

  /** SIGKILL. */
  public void kill() {
    int status = process.kill();
    if (status != KILLED) {
      throw new IllegalStateException("The broker ended by itself, with " + status);
    }
  }

  /** After a kill: the same data, the same address. */
  public void restart() {
    process = launch();
    awaitReady();
  }

  /** SIGSTOP: it takes connections and answers nothing. */
  public void freeze() {
    process.freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    process.thaw();
  }

  /** Host and port, as {@code bootstrap.servers} takes them. */
  public String address() {
    return address;
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(config);
      Void unused = await(admin.createTopics(List.of(topic)).all());
    }
  }

  /**
   * The broker's answer.
   *
   * @throws IllegalStateException if it refuses, or does not answer
   */
  public static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The broker did not do what was asked: " + e, e);
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  /** Kills it, frozen or not, and removes its data. */
  @Override
  public synchronized void close() {
    process.close();
    int unused = process.exitStatus(); // until then it may write
    try {
      KafkaServerMain.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("The broker's data could not be removed", e);
    }
  }
}

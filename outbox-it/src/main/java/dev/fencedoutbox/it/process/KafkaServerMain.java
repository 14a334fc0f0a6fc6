package dev.fencedoutbox.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * A broker. It ends, and its data with it, when whoever started it is gone. Argument: the directory
 * of its data, with its settings in it.
 */
final class KafkaServerMain {

  /** What it prints when it takes requests. */
  static final String READY = "READY";

  private static final String CLUSTER = "fencedOutboxTestsOnly0";

  private KafkaServerMain() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Path settings = directory.resolve("server.properties");
    if (Files.notExists(directory.resolve("data").resolve("meta.properties"))) {
      format(settings);
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(settings)) {
      properties.load(reader);
    }
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    server.startup();
    System.out.println(READY);
    System.out.flush();
    while (System.in.read() >= 0) {
      // nobody says anything; the end of the parent ends the input
    }
    server.shutdown();
    delete(directory);
    Runtime.getRuntime().halt(0);
  }

  private static void format(Path settings) {
    int status =
        StorageTool.execute(
            new String[] {"format", "-t", CLUSTER, "-c", settings.toString()},
            new PrintStream(OutputStream.nullOutputStream(), true, UTF_8));
    if (status != 0) {
      throw new IllegalStateException("StorageTool returned " + status);
    }
  }

  /** Removes the directory, if it is there, with all that is in it. */
  static void delete(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}

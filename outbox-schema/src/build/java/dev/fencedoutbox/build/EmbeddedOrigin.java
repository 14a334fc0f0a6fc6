package dev.fencedoutbox.build;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** PostgreSQL unpacked from a Maven artifact and run as a child process of this JVM. */
final class EmbeddedOrigin implements Origin {
  private static final String PORT = "postgres.port";

  /** A directory in memory for the data, which is taken if it has much room. */
  private static final String MEMORY = "postgres.memory";

  private static final long ROOM_IN_MEMORY = 8L << 30;
  private static final String WORKING_DIRECTORY = "ot.epg.working-dir";
  private static final String WORKING_DIRECTORY_NAME = "embedded-pg";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int OUTPUT_LINES_SHOWN = 12;

  private static final FileVisitor<Path> REMOVAL =
      new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
            throws IOException {
          Files.delete(file);
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
            throws IOException {
          if (failure != null) {
            throw failure;
          }
          Files.delete(directory);
          return FileVisitResult.CONTINUE;
        }
      };

  private final EmbeddedPostgres server;
  private final Path data;
  private final Path output;

  private EmbeddedOrigin(EmbeddedPostgres server, Path data, Path output) {
    this.server = server;
    this.data = data;
    this.output = output;
  }

  static EmbeddedOrigin start() {
    int port = port();
    Path output = temporaryFile();
    ProcessBuilder.Redirect toOutput = ProcessBuilder.Redirect.appendTo(output.toFile());
    AtomicReference<@Nullable Path> data = new AtomicReference<>(); // said while it starts
    try {
      EmbeddedPostgres server =
          builder()
              .setPort(port)
              .setPGStartupWait(START_LIMIT)
              .setOutputRedirector(toOutput)
              .setErrorRedirector(toOutput)
              // Its own way to remove them takes three times as long, for each test JVM ten
              // seconds.
              .setDataDirectoryCustomizer(directory -> data.set(directory.toPath()))
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              // The data is thrown away with the server: a crash of the machine may lose it.
              .setServerConfig("fsync", "off")
              // Which the embedding switches off: commits are to behave as they do elsewhere.
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("max_connections", "200")
              .setServerConfig("track_counts", "on")
              .start();
      EmbeddedOrigin origin =
          new EmbeddedOrigin(server, Objects.requireNonNull(data.get()), output);
      Runtime.getRuntime().addShutdownHook(new Thread(origin::stop, "stop PostgreSQL"));
      return origin;
    } catch (IOException | RuntimeException e) {
      throw new PostgresUnavailable(explain(e, output), e);
    }
  }

  /**
   * A database is 360 files: to create it and to remove it costs 0.4 seconds of CPU on a disk, and
   * 0.1 in memory.
   */
  private static EmbeddedPostgres.Builder builder() {
    String wanted = System.getProperty(MEMORY, "").strip();
    if (wanted.isEmpty() || !isRoomIn(new File(wanted))) {
      return EmbeddedPostgres.builder();
    }
    // Data go to the working directory, where what a killed JVM has left is found and removed.
    File binaries = new File(System.getProperty("java.io.tmpdir"), WORKING_DIRECTORY_NAME);
    String before = System.getProperty(WORKING_DIRECTORY);
    System.setProperty(
        WORKING_DIRECTORY, new File(wanted, WORKING_DIRECTORY_NAME).getAbsolutePath());
    try {
      return EmbeddedPostgres.builder().setOverrideWorkingDirectory(binaries);
    } finally {
      restore(before);
    }
  }

  private static void restore(@Nullable String workingDirectory) {
    if (workingDirectory == null) {
      System.clearProperty(WORKING_DIRECTORY);
    } else {
      System.setProperty(WORKING_DIRECTORY, workingDirectory);
    }
  }

  /** The memory is that of the container, if there is one. */
  private static boolean isRoomIn(File directory) {
    return directory.isDirectory()
        && directory.canWrite()
        && directory.getUsableSpace() >= ROOM_IN_MEMORY
        && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        && system.getTotalMemorySize() >= 2 * ROOM_IN_MEMORY;
  }

  @Override
  public String adminUrl() {
    return "jdbc:postgresql://localhost:"
        + server.getPort()
        + "/postgres?user=postgres&password=postgres";
  }

  @Override
  public boolean outlivesUs() {
    return false;
  }

  @Override
  public synchronized void stop() {
    try {
      server.close(); // a second time does nothing
      if (Files.exists(data)) {
        Files.walkFileTree(data, REMOVAL);
      }
      Files.deleteIfExists(output);
    } catch (IOException e) {
      throw new UncheckedIOException("The embedded PostgreSQL did not stop cleanly.", e);
    }
  }

  /** The port to use; 0, a free one, by default. */
  private static int port() {
    String wanted = System.getProperty(PORT, "").strip();
    if (wanted.isEmpty()) {
      return 0;
    }
    if (!wanted.matches("\\d{1,5}") || Integer.parseInt(wanted) > 65_535) {
      throw new PostgresUnavailable("-D" + PORT + "=" + wanted + " is no port: take 0 to 65535.");
    }
    int port = Integer.parseInt(wanted);
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return port;
    } catch (IOException e) {
      throw new PostgresUnavailable(
          "The embedded PostgreSQL cannot start: port "
              + port
              + ", from -D"
              + PORT
              + ", is not free ("
              + e.getMessage()
              + "). Leave -D"
              + PORT
              + " out to take any free port.",
          e);
    }
  }

  private static Path temporaryFile() {
    try {
      Path file = Files.createTempFile("outbox-postgres-", ".log");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new PostgresUnavailable(
          "The embedded PostgreSQL cannot start: no file can be written to "
              + System.getProperty("java.io.tmpdir")
              + " ("
              + e.getMessage()
              + ").",
          e);
    }
  }

  private static String explain(Exception failure, Path output) {
    String said = lastLines(output);
    String reason =
        "The embedded PostgreSQL did not start on "
            + System.getProperty("os.name")
            + ' '
            + System.getProperty("os.arch")
            + " as user "
            + System.getProperty("user.name")
            + ": "
            + failure.getMessage();
    if (said.contains("root")) {
      reason +=
          "\nPostgreSQL refuses to run as root, and this machine does not let root enter a user"
              + " namespace (unshare -U). Run the build as an ordinary user.";
    }
    return said.isEmpty() ? reason : reason + "\nThe last that it said:\n" + said.indent(2);
  }

  private static String lastLines(Path output) {
    try {
      List<String> lines = List.of(Files.readString(output, StandardCharsets.UTF_8).split("\n"));
      return String.join(
              "\n", lines.subList(Math.max(0, lines.size() - OUTPUT_LINES_SHOWN), lines.size()))
          .strip();
    } catch (IOException e) {
      return "";
    }
  }
}

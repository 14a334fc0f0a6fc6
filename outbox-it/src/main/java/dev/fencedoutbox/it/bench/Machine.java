package dev.fencedoutbox.it.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** Where it was measured: the processors, the JVM, the server and what is set there. */
final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final List<String> SETTINGS =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "shared_buffers",
          "autovacuum",
          "checkpoint_timeout",
          "max_wal_size",
          "jit",
          "track_counts");

  private static final double GIBIBYTE = 1L << 30;

  private Machine() {}

  /** A line each. */
  static List<String> describe(BenchDatabase database) throws IOException {
    com.sun.management.OperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    DSLContext dsl = database.dsl();
    return List.of(
        "%s, on the day %s".formatted(processor(), LocalDate.now(ZoneOffset.UTC)),
        "%d processors for the server and the JVM together, %d GB of memory, %s"
            .formatted(
                system.getAvailableProcessors(),
                Math.round(system.getTotalMemorySize() / GIBIBYTE),
                system.getName() + " " + system.getVersion()),
        "Java %s (%s), jOOQ %s, pgjdbc %s"
            .formatted(
                System.getProperty("java.version"),
                System.getProperty("java.vm.name"),
                org.jooq.Constants.FULL_VERSION,
                org.postgresql.util.DriverInfo.DRIVER_VERSION),
        setting(dsl, "server_version", "PostgreSQL "),
        SETTINGS.stream()
            .map(name -> setting(dsl, name, name + " = "))
            .collect(Collectors.joining(", ")));
  }

  private static String setting(DSLContext dsl, String name, String before) {
    return before + dsl.fetchSingle("select current_setting(?)", name).get(0, String.class);
  }

  private static String processor() throws IOException {
    if (!Files.exists(PROCESSORS)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(PROCESSORS).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }
}

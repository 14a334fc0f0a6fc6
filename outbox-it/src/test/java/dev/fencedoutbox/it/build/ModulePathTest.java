package dev.fencedoutbox.it.build;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.migration.OutboxMigrations;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library's two modules, as this build has made them, in a host that is a module itself. */
@Tag(Proofs.LEFT_OUT)
class ModulePathTest {

  private static final String MAIN = "dev.fencedoutbox.host.Host";

  private static final List<String> DONE =
      List.of(
          "enqueued CREATED",
          "posted order-17-placed OrderPlaced[amount=17]",
          "left 0",
          "receipt billing");

  private static final Path CORE = location(Leases.class);
  private static final Path SCHEMA = location(OutboxMigrations.class);

  /** All that the host of this test needs beside the library; nothing of it is for modules only. */
  private static final List<String> JARS =
      List.of(
          "jooq-3",
          "r2dbc-spi-",
          "reactive-streams-",
          "slf4j-api-",
          "flyway-core-",
          "flyway-database-postgresql-",
          "postgresql-");

  /** The class path has more than one jar whose packages are split, so the module path is short. */
  private static final String MODULE_PATH =
      Stream.concat(
              Stream.of(CORE, SCHEMA),
              Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                  .map(Path::of)
                  .filter(ModulePathTest::isNeeded))
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));

  @TempDir Path directory;

  /** A relay, Flyway's scripts, and records that jOOQ makes by reflection. */
  @Test
  void hostWithModules_migratesEnqueuesAndDelivers() throws Exception {
    compile(directory.resolve("host"));

    assertThat(run("--module-path", "--module", "dev.fencedoutbox.host/" + MAIN))
        .contains("module dev.fencedoutbox.host")
        .containsAll(DONE);
  }

  /** The same jars, and no other. */
  @Test
  void hostWithoutModules_migratesEnqueuesAndDelivers() throws Exception {
    compile(directory.resolve("host"));

    assertThat(run("--class-path", MAIN)).contains("module null").containsAll(DONE);
  }

  /** A host needs none of them; with one on its module path, it can use the package over it. */
  @Test
  void optionalModules_areRequiredStatically() {
    assertThat(statically(descriptor(SCHEMA)))
        .containsExactlyInAnyOrder("flyway.core", "org.jspecify");
    assertThat(statically(descriptor(CORE)))
        .containsExactlyInAnyOrder(
            "io.opentelemetry.api",
            "io.opentelemetry.context",
            "kafka.clients",
            "micrometer.core",
            "org.jspecify",
            "org.postgresql.jdbc");
  }

  private static List<String> statically(ModuleDescriptor module) {
    return module.requires().stream()
        .filter(required -> required.modifiers().contains(Modifier.STATIC))
        .map(Requires::name)
        .toList();
  }

  private static ModuleDescriptor descriptor(Path location) {
    return ModuleFinder.of(location).findAll().iterator().next().descriptor();
  }

  /** With every warning an error: also that nothing of the API is out of the host's reach. */
  private static void compile(Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-Xlint:all,-try",
            "-Werror",
            "-d",
            classes.toString(),
            "--module-path",
            MODULE_PATH);
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8);
        Stream<Path> found = Files.walk(Path.of("src/host/java"))) {
      List<Path> java = found.filter(file -> file.toString().endsWith(".java")).toList();
      boolean compiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      assertThat(compiled).as("%s", said).isTrue();
    }
  }

  /** Runs it, and returns what it printed. */
  private List<String> run(String path, String... main) throws Exception {
    Path output = directory.resolve("output.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(path, directory.resolve("host") + File.pathSeparator + MODULE_PATH));
    command.addAll(List.of(main));
    command.add(TestDatabase.createEmpty());
    Process host =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(host.waitFor(60, SECONDS)).as("it ended by itself").isTrue();
      List<String> lines = Files.readAllLines(output);
      assertThat(host.exitValue()).as("%s", lines).isZero();
      return lines;
    } finally {
      host.destroyForcibly();
    }
  }

  private static boolean isNeeded(Path entry) {
    String name = entry.getFileName().toString();
    return name.endsWith(".jar") && JARS.stream().anyMatch(name::startsWith);
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}

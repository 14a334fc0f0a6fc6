package dev.fencedoutbox.it.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One combination in a JVM of its own, whose output goes to a file. */
final class CombinationRun {

  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration TO_STOP_ITS_SERVER = Duration.ofSeconds(20);

  private final Combination combination;
  private final Path log;

  CombinationRun(Combination combination, Path logs) {
    this.combination = combination;
    this.log = logs.resolve(combination.name() + ".log");
  }

  /** How it went. */
  record Result(
      Combination combination, Optional<Ran> ran, Duration took, boolean ended, Path log) {

    boolean passed() {
      return ended && ran.map(r -> r.passedOn(combination)).orElse(false);
    }

    /** What failed, a line each. */
    List<String> failures() throws IOException {
      try (Stream<String> lines = Files.lines(log, UTF_8)) {
        return lines.filter(line -> line.startsWith("FAILED: ")).toList();
      }
    }
  }

  /**
   * Runs the contract suites, for as long as they may take.
   *
   * @param options of the JVM
   * @param suites which of them, as {@link ContractSuites} takes it
   */
  Result run(Path javaHome, String classPath, List<String> options, String suites)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    // As the tests of the build: java.class.path spelled out, since they start JVMs of their own
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dorg.jooq.no-logo=true", "-Dorg.jooq.no-tips=true"));
    command.add("-Dtest.jvm=" + combination.name());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, ContractSuites.class.getName(), suites));
    long started = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Thread stop = new Thread(process::destroy, "end of " + combination.name());
    Runtime.getRuntime().addShutdownHook(stop);
    boolean ended = process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.destroy();
      if (!process.waitFor(TO_STOP_ITS_SERVER.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    Runtime.getRuntime().removeShutdownHook(stop);
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    return new Result(combination, said(), took, ended, log);
  }

  private Optional<Ran> said() throws IOException {
    try (Stream<String> lines = Files.lines(log, UTF_8)) {
      return lines.flatMap(line -> Ran.parse(line).stream()).findFirst();
    }
  }
}

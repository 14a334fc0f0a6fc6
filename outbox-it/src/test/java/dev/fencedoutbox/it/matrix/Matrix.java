package dev.fencedoutbox.it.matrix;

import dev.fencedoutbox.it.matrix.CombinationRun.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The matrix's command: {@code mvn -q -Pmatrix verify}. */
@Command(
    name = "matrix",
    mixinStandardHelpOptions = true,
    description = "Runs the contract suites on each combination of PostgreSQL, jOOQ and Java.",
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:all passed",
      "1:one did not",
      "2:nothing was started: bad options or no JDK"
    })
public final class Matrix implements Callable<Integer> {

  private static final int OK = 0;
  private static final int NOT_OK = 1;
  private static final int NOT_STARTED = 2;

  @Option(names = "--postgres", split = ",", required = true, description = "versions of binaries")
  private List<String> postgres = List.of();

  @Option(names = "--jooq", split = ",", required = true, description = "versions")
  private List<String> jooq = List.of();

  @Option(names = "--java", split = ",", required = true, description = "major versions")
  private List<Integer> java = List.of();

  @Option(names = "--platform", required = true, description = "of the binaries: linux-amd64")
  private String platform = "";

  @Option(names = "--jars", required = true, description = "where the jars of all of these lie")
  private Path jars = Path.of("");

  @Option(names = "--only", defaultValue = "", description = "e.g. 14+3.19+17,18 or *+3.21")
  private String only = "";

  @Option(names = "--at-once", defaultValue = "2", description = "combinations that run at a time")
  private int atOnce;

  @Option(
      names = "--plans-rows",
      defaultValue = "1000000",
      description = "rows beside which plans are tried, on the first combination of a PostgreSQL")
  private int plansRows;

  private final PrintStream out;
  private final PrintStream err;

  Matrix(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Matrix(System.out, System.err)).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (atOnce < 1 || plansRows < 1) {
      err.printf(
          "--at-once and --plans-rows must be 1 or more and are %d and %d. Nothing was started.%n",
          atOnce, plansRows);
      return NOT_STARTED;
    }
    List<Combination> all = Combination.of(postgres, jooq, java);
    List<Combination> selected;
    try {
      selected = Selection.of(all, only);
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return NOT_STARTED;
    }
    Map<Integer, Path> homes = homes(selected);
    List<Combination> runnable =
        selected.stream().filter(c -> homes.containsKey(c.java())).toList();
    if (runnable.isEmpty() || (runnable.size() < selected.size() && System.getenv("CI") != null)) {
      return NOT_STARTED;
    }
    List<Result> results = run(runnable, all, homes);
    long passed = results.stream().filter(Result::passed).count();
    Files.writeString(jars.resolve("matrix.md"), Report.table(results));
    out.printf("matrix: combinations=%d passed=%d%n", results.size(), passed);
    return passed == results.size() ? OK : NOT_OK;
  }

  private Map<Integer, Path> homes(List<Combination> combinations) {
    Map<Integer, Path> homes = new LinkedHashMap<>();
    combinations.stream()
        .map(Combination::java)
        .distinct()
        .forEach(
            major ->
                Jdks.home(major)
                    .ifPresentOrElse(home -> homes.put(major, home), () -> missing(major)));
    return homes;
  }

  private void missing(int major) {
    err.printf(
        "!! NO JAVA %d HERE (JAVA_HOME_%1$d, JAVA_HOME, /usr/lib/jvm): ITS COMBINATIONS ARE LEFT"
            + " OUT%n",
        major);
  }

  /** Runs some at a time, and tells of each when it has ended. */
  private List<Result> run(
      List<Combination> combinations, List<Combination> all, Map<Integer, Path> homes)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(atOnce);
    try {
      CompletionService<Result> ended = new ExecutorCompletionService<>(threads);
      for (Combination combination : combinations) {
        ended.submit(() -> run(combination, combination.isFirstOf(all), homes));
      }
      List<Result> results = new ArrayList<>();
      while (results.size() < combinations.size()) {
        Result result = ended.take().get();
        Report.print(out, result);
        results.add(result);
      }
      results.sort(Comparator.comparing(result -> combinations.indexOf(result.combination())));
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A combination could not be run", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Result run(Combination combination, boolean first, Map<Integer, Path> homes)
      throws IOException, InterruptedException {
    return new CombinationRun(combination, jars)
        .run(
            Objects.requireNonNull(homes.get(combination.java())),
            ClassPath.of(combination, platform, jars),
            List.of("-Dplans.rows=" + plansRows, "-Dproofs=whole"),
            first ? "whole" : "brief");
  }
}

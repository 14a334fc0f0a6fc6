package dev.fencedoutbox.it.matrix;

import dev.fencedoutbox.it.matrix.CombinationRun.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What people read of a matrix. */
final class Report {

  private Report() {}

  /** One line, and one more for each failure. */
  static void print(PrintStream out, Result result) throws IOException {
    Combination combination = result.combination();
    out.printf(
        Locale.ROOT,
        "%-11s PostgreSQL %-6s jOOQ %-8s Java %-3d %s%n",
        combination.name(),
        combination.postgresVersion(),
        combination.jooq(),
        combination.java(),
        outcome(result));
    result.failures().forEach(failure -> out.println("    " + failure));
    if (!result.passed()) {
      out.println("    " + result.log());
    }
    out.flush();
  }

  private static String outcome(Result result) {
    String took = "%4d s".formatted(result.took().toSeconds());
    if (!result.ended()) {
      return took + "  NOT ENDED, killed";
    }
    return result
        .ran()
        .map(
            ran ->
                "%s  %d tests, %d skipped, %d failed  %s"
                    .formatted(
                        took,
                        ran.tests(),
                        ran.skipped(),
                        ran.failed(),
                        result.passed() ? "passed" : "FAILED, on " + ran.line()))
        .orElse(took + "  BROKE OFF");
  }

  /** A table in Markdown, one row for each combination. */
  static String table(List<Result> results) {
    return results.stream()
        .map(Report::row)
        .collect(
            Collectors.joining(
                "\n",
                """
                | PostgreSQL | jOOQ | Java | pgjdbc | tests | skipped | failed | s | |
                |---|---|---|---|---:|---:|---:|---:|---|
                """,
                "\n"));
  }

  private static String row(Result result) {
    Combination combination = result.combination();
    String verdict = result.passed() ? "passed" : "FAILED";
    String counts =
        result
            .ran()
            .map(
                r ->
                    "%s | %s | %d | %d | %d"
                        .formatted(r.java(), r.pgjdbc(), r.tests(), r.skipped(), r.failed()))
            .orElse(combination.java() + " | | | |");
    return "| %s | %s | %s | %d | %s |"
        .formatted(
            combination.postgresVersion(),
            combination.jooq(),
            counts,
            result.took().toSeconds(),
            verdict);
  }
}

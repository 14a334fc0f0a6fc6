package dev.fencedoutbox.it.soak;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** Prints what was done, what came of it, and what is wrong. */
final class Report {

  private static final int NAMED = 10;

  private final PrintStream out;

  Report(PrintStream out) {
    this.out = out;
  }

  /**
   * @param problems of the run itself
   */
  void print(SoakRun.Figures figures, Verdict verdict, List<String> problems) {
    out.println("What was done");
    line("relay processes started", figures.processes());
    line("  killed by SIGKILL", figures.kills());
    line("  frozen by SIGSTOP", figures.freezes());
    line("  cut off by pg_terminate_backend", figures.terminations());
    line("  told to end", figures.stops());
    line("  stood still by themselves", figures.stalls());
    line("messages committed", verdict.enqueued());
    line("  with an ordering key", figures.keyed());
    line("messages rolled back", figures.rolledBack());
    out.println("What came of it");
    line("claims", verdict.claims());
    line("  of those, reclaims", verdict.reclaims());
    line("renewals", verdict.renewals());
    line("leases that ran out", sum(verdict.ranOut()));
    verdict.ranOut().forEach((reason, count) -> line("  " + reason, count));
    line("calls of handlers", verdict.calls());
    line("  begun when the lease was over", verdict.late());
    line("duplicates", verdict.duplicateCount());
    verdict.duplicates().forEach((reason, count) -> line("  " + reason, count));
    list("lost", verdict.lost());
    list("order violation", verdict.orderViolations());
    list("unexplained duplicate", verdict.unexplained());
    list("rule broken", verdict.broken());
    list("problem", problems);
  }

  private void line(String what, long figure) {
    out.printf("  %-64s %7d%n", what, figure);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void list(String what, List<String> found) {
    found.stream().limit(NAMED).forEach(one -> out.printf("  ! %s: %s%n", what, one));
    if (found.size() > NAMED) {
      out.printf("  ! and %d more of this kind%n", found.size() - NAMED);
    }
  }
}

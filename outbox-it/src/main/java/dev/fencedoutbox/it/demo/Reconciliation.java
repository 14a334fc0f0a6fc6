package dev.fencedoutbox.it.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets what was read against what was applied.
 *
 * @param received requests that billing got
 * @param duplicates of those, events that it had applied before
 * @param refused late writes of relays that the database refused
 * @param lost leases that relays found lost before they wrote anything, and dropped
 */
record Reconciliation(
    Intake intake, Ledger ledger, int received, int duplicates, long refused, long lost) {

  private static final int NAMED = 5;

  /** What does not add up; empty if every order was applied exactly once. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    expect(problems, "orders", ledger.orders());
    expect(problems, "messages", ledger.messages());
    expect(problems, "receipts", ledger.receipts());
    expect(problems, "events in the inbox", ledger.remembered());
    expect(problems, "invoices", ledger.invoices());
    List<String> wrong = ledger.wrongOrders();
    if (!wrong.isEmpty()) {
      problems.add(
          "%d orders have no invoice that was applied once and over their amount: %s%s"
              .formatted(
                  wrong.size(),
                  String.join(", ", wrong.subList(0, Math.min(NAMED, wrong.size()))),
                  wrong.size() > NAMED ? ", ..." : ""));
    }
    if (ledger.left() > 0) {
      problems.add(ledger.left() + " deliveries are left over");
    }
    if (ledger.dead() > 0) {
      problems.add(ledger.dead() + " deliveries are DEAD");
    }
    if (ledger.reclaimed() == 0) {
      problems.add("no delivery was reclaimed, though a relay was killed: nothing was rehearsed");
    }
    if (refused + lost == 0) {
      problems.add(
          "no late write was refused or dropped, though a relay was frozen: nothing was rehearsed");
    }
    return problems;
  }

  private void expect(List<String> problems, String what, int found) {
    if (found != intake.written()) {
      problems.add(
          "%d orders were written and there are %d %s".formatted(intake.written(), found, what));
    }
  }

  void print(PrintStream out) {
    out.println("Reconciliation");
    line(out, "orders read", intake.rows());
    line(out, "  skipped, malformed", intake.skipped());
    line(out, "  duplicate ids", intake.duplicates());
    line(out, "  written", intake.written());
    line(out, "messages", ledger.messages());
    line(out, "delivered (receipts)", ledger.receipts());
    line(out, "  reclaimed (epoch above 1)", ledger.reclaimed());
    line(out, "  left over", ledger.left());
    line(out, "  dead", ledger.dead());
    line(out, "stale writes refused", refused);
    line(out, "lost leases dropped unwritten", lost);
    line(out, "received by billing", received);
    line(out, "  duplicates seen", duplicates);
    line(out, "applied once through the inbox", ledger.appliedOnce());
  }

  private static void line(PrintStream out, String what, long figure) {
    out.printf("  %-32s %6d%n", what, figure);
  }
}

package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.outbox.EnqueueOutcome;
import java.io.PrintStream;

/**
 * What became of the rows of the orders file.
 *
 * @param rows all of them
 * @param skipped malformed
 * @param duplicates of an order that was there already
 * @param written with their messages
 */
record Intake(int rows, int skipped, int duplicates, int written) {

  /** Places every order, and prints each row that is none or comes twice. */
  static Intake of(OrderFile.Contents contents, OrderDesk desk, PrintStream out) {
    for (OrderFile.Skipped skipped : contents.skipped()) {
      out.printf("line %d skipped: %s%n", skipped.line(), skipped.reason());
    }
    int duplicates = 0;
    for (OrderFile.Row row : contents.orders()) {
      if (desk.place(row.order()) == EnqueueOutcome.DUPLICATE) {
        duplicates++;
        out.printf(
            "line %d: order %s is a DUPLICATE, nothing was written%n",
            row.line(), row.order().orderId());
      }
    }
    return new Intake(
        contents.rows(),
        contents.skipped().size(),
        duplicates,
        contents.orders().size() - duplicates);
  }
}

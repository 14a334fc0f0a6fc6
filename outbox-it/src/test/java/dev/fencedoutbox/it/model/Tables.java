package dev.fencedoutbox.it.model;

import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the database holds at one moment.
 *
 * @param clock read before the rows
 */
record Tables(
    Time clock,
    Map<Id, Row> rows,
    Map<String, String> messages,
    List<Receipt> receipts,
    List<Logged> log,
    Map<Id, String> effects) {

  /** A completed delivery. */
  record Receipt(Id delivery, long epoch, int attempts) {}

  /** What an operator did to a delivery. */
  record Logged(OperatorVerb verb, Id delivery, long epoch, int attempts, @Nullable Id made) {}
}

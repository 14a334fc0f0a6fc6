package dev.fencedoutbox.it.mutants;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is known of mutants that no test can tell from the statement, or not by themselves. */
final class Equivalents {

  private static final String LOCKS =
      "it is always true, and the join with the one row of locked_keys takes the locks already";
  private static final String NULLS =
      "beside it the ordering key is compared, which is true of no null";

  private static final String IN_ORDER = "Leases.claimInOrder (delivery)";
  private static final String AGAIN = "RepeatedOrderedClaim.claim (delivery)";
  private static final String SKIP = "RecordStatements.skip (delivery)";
  private static final String REDRIVE = "DeadLetters.redrive (delivery)";

  private static final String REDRIVE_SKIPPED = "DeadLetters.redrive.redriveSkipped (delivery)";

  /** Each with its reason. */
  private record Same(String statement, String part, String reason) {

    Mutant mutant() {
      return new Mutant(statement, part);
    }
  }

  private static final List<Same> SAME =
      List.of(
          new Same(
              "Outbox.enqueueAll (message)",
              "created_messages: locked_keys.locks > # -> TRUE",
              LOCKS),
          new Same(REDRIVE_SKIPPED, "chosen_rows: locked_keys.locks >= # -> TRUE", LOCKS),
          new Same(
              REDRIVE_SKIPPED,
              "chosen_rows: message.ordering_key is not null -> TRUE",
              "the ids are of messages that have one, and a message never changes"),
          new Same(
              REDRIVE,
              "redriven_rows: delivery.id = any(array(select chosen_rows.id from chosen_rows)) -> TRUE",
              "placed_rows are the chosen ones; with it they are looked up by the index whatever"
                  + " the statistics say"),
          new Same(
              "Replay.replay (receipt)", "sent_messages: locked_keys.locks >= # -> TRUE", LOCKS),
          new Same(
              "Replay.replayAll (receipt)", "sent_messages: locked_keys.locks >= # -> TRUE", LOCKS),
          new Same(IN_ORDER, "key_heads: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(IN_ORDER, "next_head: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(IN_ORDER, "members_in_order: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(AGAIN, "key_heads: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(AGAIN, "next_head: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(AGAIN, "members_in_order: delivery.ordering_key is not null -> TRUE", NULLS),
          new Same(
              SKIP,
              "statement: delivery.status = cast(? as delivery_status) -> TRUE",
              "the same transaction has just buried these rows, and holds their locks"),
          new Same(
              SKIP,
              "statement: delivery.ordering_key is not null -> TRUE",
              "to set to null what is null changes nothing"),
          new Same(
              "DeadJobs.redrive (job)",
              "statement: redriven_rows.id = chosen_rows.id -> TRUE",
              "one row at the most; redriveAll is the same for many"),
          new Same(
              "Replay.replay (receipt)",
              "statement: queued_deliveries.message_id = sent_messages.message_id -> TRUE",
              "one message at the most; replayAll is the same for many"));

  /** Conditions of one statement of which either says the same, in other words. */
  private record Twins(String statement, String one, String other) {}

  private static final String QUEUED =
      "sent_messages: not exists (select # as one from delivery where"
          + " (delivery.message_id = message.id and delivery.channel = ?)) -> TRUE";
  private static final String QUEUED_ONCE =
      "queued_deliveries: on conflict (message_id, channel) do nothing -> NOTHING";

  private static final List<Twins> TWINS =
      List.of(
          new Twins("Replay.replay (receipt)", QUEUED, QUEUED_ONCE),
          new Twins("Replay.replayAll (receipt)", QUEUED, QUEUED_ONCE),
          new Twins(
              REDRIVE_SKIPPED,
              "chosen_rows: delivery.id = ? -> TRUE",
              "chosen_rows: delivery.id = any(cast(? as bigint[])) -> TRUE"),
          new Twins(
              REDRIVE,
              "chosen_rows: not (delivery.ordering_key is null and message.ordering_key is not null)"
                  + " -> TRUE",
              "redriven_rows: (delivery.ordering_key is not null or placed_rows.ordering_key is"
                  + " null) -> TRUE"));

  private Equivalents() {}

  /** Why no test can tell it, or null. */
  static @Nullable String reason(Mutant mutant) {
    return SAME.stream()
        .filter(same -> same.mutant().equals(mutant))
        .map(Same::reason)
        .findFirst()
        .orElse(null);
  }

  /** The mutants of its statement that lack the same, at another place or in other words. */
  static Set<Mutant> sayingTheSame(Mutant mutant, Set<Mutant> all) {
    Set<Mutant> same =
        new LinkedHashSet<>(new TreeSet<>(all).stream().filter(mutant::repeats).toList());
    for (Twins twins : TWINS) {
      Mutant one = new Mutant(twins.statement(), twins.one());
      Mutant other = new Mutant(twins.statement(), twins.other());
      if (mutant.equals(one)) {
        same.add(other);
      } else if (mutant.equals(other)) {
        same.add(one);
      }
    }
    return same;
  }

  /** Those that are named here and are no mutants any more. */
  static List<Mutant> unknown(Set<Mutant> all) {
    return SAME.stream().map(Same::mutant).filter(mutant -> !all.contains(mutant)).toList();
  }
}

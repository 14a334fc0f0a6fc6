package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Tables.Logged;
import dev.fencedoutbox.it.model.Tables.Receipt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the database must hold, and what its users know: the state of the model. */
final class World {

  final Kind kind;
  final Map<Id, Row> rows = new HashMap<>();

  /** Each stored message with its ordering key, or "" without one. */
  final Map<String, String> messages = new HashMap<>();

  final List<Receipt> receipts = new ArrayList<>();
  final List<Logged> log = new ArrayList<>();
  final Map<Id, String> effects = new HashMap<>();

  /** Every claim's leases of one ordering key, or one by one without; the newest last. */
  final List<List<Ref>> runs = new ArrayList<>();

  /** Leases that their owners ended themselves. */
  final Set<Ref> ended = new HashSet<>();

  /** Where the ordered walk stands, and from which due time on the next claim may look. */
  String walkedTo = "";

  @Nullable Time floor;

  /** Events whose rows somebody has locked, so that who does not wait passes them by. */
  final Set<String> locked = new HashSet<>();

  private final Map<String, String> keys = new HashMap<>();
  private final Map<String, Integer> made = new HashMap<>();
  private long numbers = Row.UNSEEN;

  World(Kind kind) {
    this.kind = kind;
  }

  World copy() {
    World copy = new World(kind);
    copy.rows.putAll(rows);
    copy.messages.putAll(messages);
    copy.receipts.addAll(receipts);
    copy.log.addAll(log);
    copy.effects.putAll(effects);
    copy.runs.addAll(runs);
    copy.ended.addAll(ended);
    copy.walkedTo = walkedTo;
    copy.floor = floor;
    copy.keys.putAll(keys);
    copy.made.putAll(made);
    copy.numbers = numbers;
    return copy;
  }

  /** What there is of those events; what users know is left out. */
  World part(Predicate<String> events) {
    World part = new World(kind);
    rows.values().stream()
        .filter(row -> events.test(row.id().event()))
        .forEach(row -> part.rows.put(row.id(), row));
    messages.forEach(
        (event, key) -> {
          if (events.test(event)) {
            part.messages.put(event, key);
          }
        });
    receipts.stream()
        .filter(receipt -> events.test(receipt.delivery().event()))
        .forEach(part.receipts::add);
    log.stream().filter(one -> events.test(one.delivery().event())).forEach(part.log::add);
    made.forEach(
        (event, count) -> {
          if (events.test(event)) {
            part.made.put(event, count);
          }
        });
    return part;
  }

  /** Every event that was ever said. */
  Set<String> events() {
    return Set.copyOf(made.keySet());
  }

  /** The rows of that kind, oldest first. */
  List<Row> rows(Predicate<Row> which) {
    return rows.values().stream()
        .filter(which)
        .sorted(Comparator.comparingLong(Row::number))
        .toList();
  }

  Row add(String event, @Nullable String key, Time due) {
    if (key != null) {
      keys.put(event, key);
    }
    Id id = new Id(event, made.merge(event, 1, Integer::sum));
    Row row = Row.waiting(id, numbers++, key, due);
    rows.put(id, row);
    return row;
  }

  void put(Row row) {
    rows.put(row.id(), row);
  }

  boolean mayClaim(Row row, Time now) {
    return !locked.contains(row.id().event()) && row.isClaimable(now);
  }

  /** The keys of stored messages that have one. */
  @Nullable String keyOf(String event) {
    String key = Objects.requireNonNull(messages.get(event));
    return key.isEmpty() ? null : key;
  }

  /** Whether an event has no ordering key, as far as anybody knows. */
  boolean isFree(String event) {
    return keys.getOrDefault(event, "").isEmpty();
  }

  @Nullable Receipt latestReceipt(String event) {
    return receipts.stream()
        .filter(receipt -> receipt.delivery().event().equals(event))
        .reduce((first, second) -> first.delivery().n() > second.delivery().n() ? first : second)
        .orElse(null);
  }

  boolean isPending(String event) {
    return rows.keySet().stream().anyMatch(id -> id.event().equals(event));
  }

  /** Every lease that was handed out, the newest last. */
  List<Ref> leases() {
    return runs.stream().flatMap(List::stream).toList();
  }

  /** Where the database is not as this foretells. */
  List<String> differences(Tables seen) {
    List<String> all = new ArrayList<>();
    for (Row row : rows.values()) {
      Row other = seen.rows().get(row.id());
      all.addAll(other == null ? List.of("missing: " + row) : row.differences(other));
    }
    seen.rows().values().stream()
        .filter(row -> !rows.containsKey(row.id()))
        .forEach(row -> all.add("not foretold: " + row));
    compare(all, "order", order(rows), order(seen.rows()));
    compare(all, "messages", messages, seen.messages());
    compare(all, "receipts", Set.copyOf(receipts), Set.copyOf(seen.receipts()));
    compare(all, "operators' log", log, seen.log());
    compare(all, "effects", effects, seen.effects());
    return all;
  }

  private static List<Id> order(Map<Id, Row> rows) {
    return rows.values().stream()
        .sorted(Comparator.comparingLong(Row::number))
        .map(Row::id)
        .toList();
  }

  private static void compare(List<String> all, String what, Object mine, Object seen) {
    if (!mine.equals(seen)) {
      all.add("%s: %s in the database and %s in the model".formatted(what, seen, mine));
    }
  }

  /** Takes over what could only be foretold within bounds: numbers and times. */
  void settle(Tables seen) {
    rows.putAll(seen.rows());
  }

  /** Whether nothing but what users know differs. */
  boolean isStoredAs(World other) {
    return rows.equals(other.rows)
        && messages.equals(other.messages)
        && receipts.equals(other.receipts)
        && log.equals(other.log)
        && effects.equals(other.effects);
  }
}

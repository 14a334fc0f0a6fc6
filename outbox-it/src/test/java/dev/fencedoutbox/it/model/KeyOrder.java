package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Answer.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Watches the order under ordering keys, where workers go through their runs as they should: at
 * most one run of a key is in flight, it starts at the key's oldest row, and what is completed was
 * the oldest.
 */
final class KeyOrder {

  private final Map<Ref, Integer> runs = new HashMap<>();
  private int claims;

  /** What was broken. */
  List<String> breaches(Answer answer, Tables before, Tables after) {
    claims++;
    for (Grant grant : answer.granted()) {
      runs.put(grant.lease(), claims);
    }
    List<String> all = new ArrayList<>();
    byKey(after).forEach((key, rows) -> oneRun(key, rows, after.clock(), all));
    byKey(before).forEach((key, rows) -> completedInOrder(key, rows, after, all));
    return all;
  }

  private static Map<String, List<Row>> byKey(Tables tables) {
    Map<String, List<Row>> byKey = new TreeMap<>();
    tables.rows().values().stream()
        .filter(row -> row.key() != null)
        .sorted(Comparator.comparingLong(Row::number))
        .forEach(
            row ->
                byKey
                    .computeIfAbsent(Objects.requireNonNull(row.key()), k -> new ArrayList<>())
                    .add(row));
    return byKey;
  }

  private void oneRun(String key, List<Row> rows, Time clock, List<String> all) {
    Set<Integer> inFlight = new HashSet<>();
    boolean ended = false;
    for (Row row : rows) {
      if (!row.isLeased(clock)) {
        ended = true;
      } else {
        inFlight.add(runs.get(new Ref(row.id(), row.epoch())));
        if (ended) {
          all.add("Overtaken under %s: %s is in flight before what is older".formatted(key, row));
        }
      }
    }
    if (inFlight.size() > 1) {
      all.add("Two runs are in flight under %s: %s".formatted(key, rows));
    }
  }

  private static void completedInOrder(String key, List<Row> rows, Tables after, List<String> all) {
    boolean pending = false;
    for (Row row : rows) {
      boolean sent = after.receipts().stream().anyMatch(one -> one.delivery().equals(row.id()));
      if (sent && pending) {
        all.add("Completed under %s before what is older: %s".formatted(key, row));
      }
      pending |= !sent;
    }
  }
}

package dev.fencedoutbox.it.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All calls of handlers, put together from what they wrote down. */
final class CallLog {

  private record Under(long delivery, long epoch) {}

  private final Map<Under, List<Call>> byClaim = new LinkedHashMap<>();
  private final Map<String, List<Call>> byEvent = new HashMap<>();

  private CallLog() {}

  /** Of lines in the order in which they were written. */
  static CallLog of(List<Handling> lines) {
    CallLog log = new CallLog();
    lines.forEach(log::add);
    log.byClaim
        .values()
        .forEach(
            calls ->
                calls.forEach(
                    call ->
                        log.byEvent
                            .computeIfAbsent(call.eventId(), key -> new ArrayList<>())
                            .add(call)));
    log.byEvent
        .values()
        .forEach(
            calls ->
                calls.sort(Comparator.comparingLong(Call::epoch).thenComparingLong(Call::begun)));
    return log;
  }

  private void add(Handling line) {
    List<Call> calls =
        byClaim.computeIfAbsent(new Under(line.delivery(), line.epoch()), key -> new ArrayList<>());
    if (line.what() == Handling.What.BEGUN) {
      calls.add(Call.begunBy(line));
    } else if (!calls.isEmpty()) {
      calls.set(calls.size() - 1, calls.get(calls.size() - 1).endedBy(line));
    }
  }

  /** In the order of their claims. */
  List<Call> of(String eventId) {
    return byEvent.getOrDefault(eventId, List.of());
  }

  Set<String> eventIds() {
    return byEvent.keySet();
  }

  List<Call> all() {
    return byEvent.values().stream().flatMap(List::stream).toList();
  }
}

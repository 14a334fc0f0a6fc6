package dev.fencedoutbox.it.soak;

import java.util.List;
import java.util.Map;

/**
 * What {@code Judge} found.
 *
 * @param lost event ids that were committed and not delivered, or not to their end
 * @param orderViolations each in words
 * @param duplicates calls of handlers after the first one of their message, by what explains them
 * @param unexplained duplicates that nothing explains, each in words
 * @param broken rules of the protocol that were broken, each in words
 * @param ranOut leases that ran out, by what explains it
 * @param late calls that began when their lease was over
 */
record Verdict(
    int enqueued,
    List<String> lost,
    List<String> orderViolations,
    Map<String, Integer> duplicates,
    List<String> unexplained,
    List<String> broken,
    Map<String, Integer> ranOut,
    int claims,
    int reclaims,
    int renewals,
    int calls,
    int late) {

  int duplicateCount() {
    return duplicates.values().stream().mapToInt(Integer::intValue).sum();
  }

  boolean isGood() {
    return lost.isEmpty() && orderViolations.isEmpty() && unexplained.isEmpty() && broken.isEmpty();
  }

  /** The last line of a soak. */
  String line() {
    return "soak: enqueued=%d delivered=%d lost=%d order_violations=%d duplicates=%d unexplained_duplicates=%d"
        .formatted(
            enqueued,
            enqueued - lost.size(),
            lost.size(),
            orderViolations.size(),
            duplicateCount(),
            unexplained.size());
  }
}

package dev.fencedoutbox.relay;

import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which topic is delivered by what, and how often it is tried. Immutable. */
record Routes(Map<String, Route> byTopic, @Nullable Route any, Map<String, Integer> budgets) {

  Routes {
    byTopic = Map.copyOf(byTopic);
    budgets = Map.copyOf(budgets);
  }

  static Routes none() {
    return new Routes(Map.of(), null, Map.of());
  }

  boolean isEmpty() {
    return byTopic.isEmpty() && any == null;
  }

  /** What delivers the topic, if this relay can. */
  @Nullable Route of(String topic) {
    Route named = byTopic.get(topic);
    return named == null ? any : named;
  }

  Routes with(Topic<?> topic, Route route) {
    if (byTopic.containsKey(topic.name())) {
      throw new IllegalArgumentException(
          "Topic %s has two handlers. Nothing was started. Give it one.".formatted(topic));
    }
    Map<String, Route> more = new HashMap<>(byTopic);
    more.put(topic.name(), route);
    return new Routes(more, any, budgets);
  }

  Routes withAny(Route route) {
    if (any != null) {
      throw new IllegalArgumentException(
          "There are two handlers for any topic. Nothing was started. Give one.");
    }
    return new Routes(byTopic, route, budgets);
  }

  Routes withBudget(Topic<?> topic, int attempts) {
    Map<String, Integer> more = new HashMap<>(budgets);
    more.put(topic.name(), attempts);
    return new Routes(byTopic, any, more);
  }

  int budget(String topic, int otherwise) {
    return budgets.getOrDefault(topic, otherwise);
  }

  /** What a claim must allow, so that no topic's budget is cut. */
  int largestBudget(int otherwise) {
    return budgets.values().stream().reduce(otherwise, Math::max);
  }

  /**
   * @throws IllegalStateException if a handler may be at work for as long as a lease
   */
  void requireShorterThan(Duration lease) {
    byTopic.forEach((topic, route) -> requireShorter("topic " + topic, route, lease));
    if (any != null) {
      requireShorter("any topic", any, lease);
    }
  }

  private static void requireShorter(String what, Route route, Duration lease) {
    Duration longest = route.longest();
    if (longest != null && longest.compareTo(lease) >= 0) {
      throw new IllegalStateException(
          "The handler of %s may be at work for %s and leases last %s, so what it has under way could run beside its successor. Nothing was started. Give it a shorter timeout, or the relay longer leases (RelayOptions.withLeaseFor)."
              .formatted(what, longest, lease));
    }
  }
}

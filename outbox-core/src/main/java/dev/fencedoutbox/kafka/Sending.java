package dev.fencedoutbox.kafka;

import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a call, and how far it is. For the thread of the call; only {@link #answered} is
 * called by the producer's.
 */
final class Sending {

  private final Attempt attempt;
  private final Queue<Sending> laterOfItsKey;
  private @Nullable String topic;
  private long begunNanos;
  private @Nullable DeliveryOutcome outcome;
  private volatile @Nullable Exception failure;

  private Sending(Attempt attempt, Queue<Sending> laterOfItsKey) {
    this.attempt = attempt;
    this.laterOfItsKey = laterOfItsKey;
  }

  /** In their order, each knowing those after it under its ordering key. */
  static List<Sending> of(List<Attempt> attempts) {
    Map<String, Queue<Sending>> waiting = new HashMap<>();
    List<Sending> all = new ArrayList<>();
    for (Attempt attempt : attempts) {
      String key = attempt.delivery().orderingKey();
      Queue<Sending> ofItsKey =
          key == null
              ? new ArrayDeque<>()
              : waiting.computeIfAbsent(key, first -> new ArrayDeque<>());
      Sending sending = new Sending(attempt, ofItsKey);
      ofItsKey.add(sending);
      all.add(sending);
    }
    return all;
  }

  /** Those that need not wait for another one. */
  static Queue<Sending> firstOfEachKey(Collection<Sending> all) {
    Queue<Sending> first = new ArrayDeque<>();
    for (Sending sending : all) {
      if (sending.laterOfItsKey.peek() == sending) {
        first.add(sending);
      }
    }
    first.forEach(sending -> sending.laterOfItsKey.remove());
    return first;
  }

  Attempt attempt() {
    return attempt;
  }

  /** The next one of its ordering key, once. */
  @Nullable Sending next() {
    return laterOfItsKey.poll();
  }

  /** It is given to the producer. */
  void begin(String kafkaTopic, long nanos) {
    topic = kafkaTopic;
    begunNanos = nanos;
  }

  long begunNanos() {
    return begunNanos;
  }

  boolean isBegun() {
    return topic != null;
  }

  /** What the producer said: null if the broker has acknowledged it. */
  void answered(@Nullable Exception why) {
    failure = why;
  }

  @Nullable Exception failure() {
    return failure;
  }

  void settle(DeliveryOutcome as) {
    outcome = as;
  }

  boolean isSettled() {
    return outcome != null;
  }

  DeliveryOutcome outcomeOr(DeliveryOutcome otherwise) {
    return outcome == null ? otherwise : outcome;
  }

  /** The failure, for people. */
  String reason(Exception why) {
    return "%s on Kafka topic %s: %s"
        .formatted(why.getClass().getSimpleName(), topic, why.getMessage());
  }
}

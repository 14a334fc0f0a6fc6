package dev.fencedoutbox.it.bench;

import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.relay.Relay;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long each message took from its commit to its handler, in nanoseconds. A handler may be
 * called before the producer knows that its commit is done: that took no time. Thread-safe.
 */
final class Latencies {

  private static final long LONGEST = Duration.ofMinutes(1).toNanos();
  private static final int DIGITS = 3;

  private final Map<String, Long> first = new ConcurrentHashMap<>();
  private final Histogram histogram = new ConcurrentHistogram(LONGEST, DIGITS);
  private final int expected;

  Latencies(int expected) {
    this.expected = expected;
  }

  static Histogram histogram() {
    return new Histogram(LONGEST, DIGITS);
  }

  /** Its commit has returned. */
  void committed(String id) {
    Long handledNanos = first.putIfAbsent(id, System.nanoTime());
    if (handledNanos != null) {
      histogram.recordValue(0);
    }
  }

  /** Its handler was called. */
  void handled(String id) {
    long now = System.nanoTime();
    Long committedNanos = first.putIfAbsent(id, now);
    if (committedNanos != null) {
      histogram.recordValue(Math.min(LONGEST, now - committedNanos));
    }
  }

  /** All of them, once each was handled and recorded. */
  Histogram await(Relay relay) {
    Waiting.until(
        () -> histogram.getTotalCount() >= expected && relay.counters().delivered() >= expected,
        "Messages are still on their way");
    return soFar();
  }

  Histogram soFar() {
    return histogram.copy();
  }
}

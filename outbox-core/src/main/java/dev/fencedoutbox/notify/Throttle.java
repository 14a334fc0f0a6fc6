package dev.fencedoutbox.notify;

import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which channels are to be told of now: each at once if it was quiet, and then at the most once in
 * an interval. Arithmetic on a clock's readings. Thread-safe.
 */
final class Throttle {

  private final long intervalNanos;
  private final Set<Channel> asked = new HashSet<>();
  private final Map<Channel, Long> takenNanos = new HashMap<>();

  Throttle(Duration interval) {
    this.intervalNanos = interval.toNanos();
  }

  synchronized void ask(Set<Channel> channels) {
    asked.addAll(channels);
  }

  /** The channels whose turn it is; they are not asked for any more. */
  synchronized Set<Channel> take(long nowNanos) {
    takenNanos.values().removeIf(taken -> nowNanos - taken >= intervalNanos);
    Set<Channel> due = new HashSet<>(asked);
    due.removeAll(takenNanos.keySet());
    asked.removeAll(due);
    due.forEach(channel -> takenNanos.put(channel, nowNanos));
    return due;
  }

  /** How long until the next turn of an asked one; {@code longest} if none is asked for. */
  synchronized Duration untilNext(long nowNanos, Duration longest) {
    long least = longest.toNanos();
    for (Channel channel : asked) {
      Long taken = takenNanos.get(channel);
      long left = taken == null ? 0 : taken + intervalNanos - nowNanos;
      least = Math.min(least, Math.max(0, left));
    }
    return Duration.ofNanos(least);
  }
}

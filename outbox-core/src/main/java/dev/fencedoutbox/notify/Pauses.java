package dev.fencedoutbox.notify;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The waits between tries that fail: each about twice the last, up to a bound. For one thread. */
final class Pauses {

  static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration FIRST = Duration.ofMillis(200);

  private Duration next = FIRST;

  /** After something that worked. */
  void reset() {
    next = FIRST;
  }

  /** Jittered, so that processes do not come back all at once. */
  Duration afterFailure() {
    Duration pause = next;
    next = Durations.atMost(pause.multipliedBy(2), LONGEST);
    double share = 0.75 + ThreadLocalRandom.current().nextDouble() / 4;
    return Duration.ofNanos((long) (pause.toNanos() * share));
  }
}

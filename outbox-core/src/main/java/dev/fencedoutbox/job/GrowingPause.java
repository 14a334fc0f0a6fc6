package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;

/** Each pause is half as long again as the last, up to a bound. For one thread. */
final class GrowingPause {

  private final Duration shortest;
  private final Duration longest;
  private Duration next;

  GrowingPause(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
    this.next = shortest;
  }

  /** After something happened. */
  void reset() {
    next = shortest;
  }

  Duration next() {
    Duration pause = next;
    next = Durations.atMost(pause.multipliedBy(3).dividedBy(2), longest);
    return pause;
  }
}

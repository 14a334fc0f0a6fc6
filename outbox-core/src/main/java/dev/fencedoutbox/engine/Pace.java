package dev.fencedoutbox.engine;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait until the next claim: not at all while there is more, shortly after something
 * was found, and longer each time nothing was, with jitter, so that relays do not march in step.
 * After failures likewise. For one thread.
 */
final class Pace {

  private static final Duration FIRST_AFTER_FAILURE = Duration.ofMillis(200);
  private static final Duration LONGEST_AFTER_FAILURE = Duration.ofSeconds(5);

  private final Duration shortest;
  private final Duration longest;
  private final RandomGenerator random;
  private Duration idle;
  private Duration failing = FIRST_AFTER_FAILURE;

  Pace(Duration shortest, Duration longest, RandomGenerator random) {
    this.shortest = shortest;
    this.longest = longest;
    this.random = random;
    this.idle = shortest;
  }

  Duration afterClaim(boolean found, boolean more) {
    succeeded();
    if (more) {
      idle = shortest;
      return Duration.ZERO;
    }
    Duration pause = found ? shortest : idle;
    idle = found ? shortest : longer(idle, longest);
    return jittered(pause);
  }

  void succeeded() {
    failing = FIRST_AFTER_FAILURE;
  }

  Duration afterFailure() {
    Duration pause = failing;
    failing = longer(failing, LONGEST_AFTER_FAILURE);
    return jittered(pause);
  }

  private static Duration longer(Duration pause, Duration most) {
    return Durations.atMost(pause.multipliedBy(2), most);
  }

  /** Between four fifths of it and all of it. */
  private Duration jittered(Duration pause) {
    return Duration.ofNanos((long) (pause.toNanos() * (0.8 + random.nextDouble() / 5)));
  }
}

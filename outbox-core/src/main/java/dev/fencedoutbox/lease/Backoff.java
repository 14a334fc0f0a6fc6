package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a row waits after a failed attempt, counted by the database's clock from when the
 * failure is recorded.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Backoff {

  /**
   * Exponential with full jitter: anything between nothing and {@code first} doubled with each
   * attempt, so that what failed together does not come back together.
   *
   * @param first the bound after the first attempt, 1 ms to 1 day
   * @param longest the bound that is never passed, {@code first} to 30 days
   */
  static Backoff exponential(Duration first, Duration longest) {
    return new Exponential(first, longest);
  }

  /** Always the same, 0 to 30 days. */
  static Backoff fixed(Duration delay) {
    return new Fixed(delay);
  }

  /**
   * The wait after a failed attempt.
   *
   * @param attempts the attempts counted so far, this one included
   */
  Duration after(int attempts, RandomGenerator random);

  /** Made by {@link Backoff#exponential}. */
  record Exponential(Duration first, Duration longest) implements Backoff {

    /**
     * @throws IllegalArgumentException if a duration is out of its bounds
     */
    public Exponential {
      Durations.requireBetween("first", first, Duration.ofMillis(1), Duration.ofDays(1));
      Durations.requireBetween("longest", longest, first, Duration.ofDays(30));
    }

    @Override
    public Duration after(int attempts, RandomGenerator random) {
      return Duration.ofNanos((long) (bound(attempts).toNanos() * random.nextDouble()));
    }

    /** The bound after so many attempts: doubled with each, up to {@code longest}. */
    Duration bound(int attempts) {
      Duration bound = first;
      for (int doubled = 1; doubled < attempts && bound.compareTo(longest) < 0; doubled++) {
        bound = bound.multipliedBy(2);
      }
      return Durations.atMost(bound, longest);
    }
  }

  /** Made by {@link Backoff#fixed}. */
  record Fixed(Duration delay) implements Backoff {

    /**
     * @throws IllegalArgumentException if it is out of its bounds
     */
    public Fixed {
      Durations.requireBetween("delay", delay, Duration.ZERO, Duration.ofDays(30));
    }

    @Override
    public Duration after(int attempts, RandomGenerator random) {
      return delay;
    }
  }
}

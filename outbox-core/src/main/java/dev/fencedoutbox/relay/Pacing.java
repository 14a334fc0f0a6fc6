package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;

/**
 * How often a relay looks for work, and how long it waits for what.
 *
 * <p>Immutable and thread-safe.
 *
 * @param shortestPoll the pause after a claim that was not full, 1 ms to 1 minute
 * @param sweepEvery the longest pause of an idle relay; a busy one looks at all due deliveries
 *     again after three quarters of it, late commits and expired leases included; {@code
 *     shortestPoll} to 10 minutes
 * @param unknownTopicPause how long a delivery is put off whose topic this relay has no handler
 *     for, 1 ms to 1 day
 * @param longestHandling after which a handler is interrupted and its lease is renewed no more, 1
 *     ms to 30 days
 * @param closeTimeout how long {@link Relay#close()} waits for running handlers, 0 to 1 day
 */
public record Pacing(
    Duration shortestPoll,
    Duration sweepEvery,
    Duration unknownTopicPause,
    Duration longestHandling,
    Duration closeTimeout) {

  private static final Duration MILLI = Duration.ofMillis(1);

  /**
   * @throws IllegalArgumentException if a duration is out of its bounds
   */
  public Pacing {
    Durations.requireBetween("shortestPoll", shortestPoll, MILLI, Duration.ofMinutes(1));
    Durations.requireBetween("sweepEvery", sweepEvery, shortestPoll, Duration.ofMinutes(10));
    Durations.requireBetween("unknownTopicPause", unknownTopicPause, MILLI, Duration.ofDays(1));
    Durations.requireBetween("longestHandling", longestHandling, MILLI, Duration.ofDays(30));
    Durations.requireBetween("closeTimeout", closeTimeout, Duration.ZERO, Duration.ofDays(1));
  }

  /**
   * 10 ms, 2.5 s, 30 s, 10 min and 30 s: with jitter an idle relay polls every 2 to 2.5 s, by two
   * statements each time.
   */
  public static Pacing defaults() {
    return new Pacing(
        Duration.ofMillis(10),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(30),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30));
  }

  /** The same with another {@code shortestPoll}. */
  public Pacing withShortestPoll(Duration pause) {
    return new Pacing(pause, sweepEvery, unknownTopicPause, longestHandling, closeTimeout);
  }

  /** The same with another {@code sweepEvery}. */
  public Pacing withSweepEvery(Duration interval) {
    return new Pacing(shortestPoll, interval, unknownTopicPause, longestHandling, closeTimeout);
  }

  /** The same with another {@code unknownTopicPause}. */
  public Pacing withUnknownTopicPause(Duration pause) {
    return new Pacing(shortestPoll, sweepEvery, pause, longestHandling, closeTimeout);
  }

  /** The same with another {@code longestHandling}. */
  public Pacing withLongestHandling(Duration time) {
    return new Pacing(shortestPoll, sweepEvery, unknownTopicPause, time, closeTimeout);
  }

  /** The same with another {@code closeTimeout}. */
  public Pacing withCloseTimeout(Duration time) {
    return new Pacing(shortestPoll, sweepEvery, unknownTopicPause, longestHandling, time);
  }
}

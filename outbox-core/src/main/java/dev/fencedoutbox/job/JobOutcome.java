package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.lease.Backoff;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job, as its handler says. The runner writes it under the lease; if the lease is
 * lost by then, nothing is written.
 *
 * <p>Immutable, and thread-safe if the result is.
 *
 * @param <R> the type of the result
 */
public sealed interface JobOutcome<R> {

  /**
   * It is done.
   *
   * @param result null if there is none
   */
  record Done<R>(@Nullable R result) implements JobOutcome<R> {}

  /**
   * Try again later, from the last checkpoint, unless the attempt budget is used up: then it is
   * buried.
   *
   * @param after from the database's clock when it is recorded, 0 to 365 days; empty: as the
   *     runner's {@link Backoff} says
   * @param reason for people; cleaned and cut
   */
  record Retry<R>(Optional<Duration> after, String reason) implements JobOutcome<R> {

    /**
     * @throws IllegalArgumentException if {@code after} is out of its bounds
     */
    public Retry {
      after.ifPresent(
          wait -> Durations.requireBetween("after", wait, Duration.ZERO, Duration.ofDays(365)));
    }
  }

  /**
   * It was not tried: it is handed back as it is, the attempt given back, and can be claimed at
   * once. A handler that always says so is called again and again.
   */
  record Release<R>() implements JobOutcome<R> {}

  /**
   * It will never succeed: it is DEAD until somebody redrives it.
   *
   * @param reason for people; cleaned and cut
   */
  record Bury<R>(String reason) implements JobOutcome<R> {}

  /** There is nothing to write: the handler has finished the job itself, or its lease is lost. */
  record Settled<R>() implements JobOutcome<R> {}

  /** It is done, with that result. */
  static <R> JobOutcome<R> done(R result) {
    return new Done<>(result);
  }

  /** It is done, without a result. */
  static <R> JobOutcome<R> done() {
    return new Done<>(null);
  }

  /** Try again as the runner's {@link Backoff} says. */
  static <R> JobOutcome<R> retry(String reason) {
    return new Retry<>(Optional.empty(), reason);
  }

  /** Try again after this long. */
  static <R> JobOutcome<R> retryAfter(Duration after, String reason) {
    return new Retry<>(Optional.of(after), reason);
  }

  /** It was not tried: hand it back, the attempt given back. */
  static <R> JobOutcome<R> release() {
    return new Release<>();
  }

  /** It will never succeed. */
  static <R> JobOutcome<R> bury(String reason) {
    return new Bury<>(reason);
  }

  /** There is nothing to write. */
  static <R> JobOutcome<R> settled() {
    return new Settled<>();
  }
}

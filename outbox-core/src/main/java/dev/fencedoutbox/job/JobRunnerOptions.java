package dev.fencedoutbox.job;

import dev.fencedoutbox.engine.Terms;
import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.LeaseStatements;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a runner works.
 *
 * <p>Immutable and thread-safe.
 *
 * @param terms how long a lease lasts, and the attempts of a job; leases are renewed while their
 *     jobs run, so the length decides how soon a dead runner's work goes on
 * @param concurrency jobs that run at once, 1 to 10,000; no more are claimed
 * @param backoff the wait after a failed attempt
 * @param shortestPoll the pause after a claim that was not full, 1 ms to 1 minute
 * @param longestPoll the longest pause of an idle runner, {@code shortestPoll} to 10 minutes
 * @param longestRun after which a handler is interrupted and its lease is renewed no more, 1 ms to
 *     30 days
 * @param closeTimeout how long {@link JobRunner#close()} waits for running jobs, 0 to 1 day
 */
public record JobRunnerOptions(
    ClaimTerms terms,
    int concurrency,
    Backoff backoff,
    Duration shortestPoll,
    Duration longestPoll,
    Duration longestRun,
    Duration closeTimeout) {

  private static final Duration MILLI = Duration.ofMillis(1);

  /**
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public JobRunnerOptions {
    Objects.requireNonNull(terms, "terms");
    Objects.requireNonNull(backoff, "backoff");
    if (concurrency < 1 || concurrency > LeaseStatements.MAX_CLAIM) {
      throw new IllegalArgumentException(
          "concurrency must be 1 to %d and is %d. Nothing was started."
              .formatted(LeaseStatements.MAX_CLAIM, concurrency));
    }
    Durations.requireBetween("shortestPoll", shortestPoll, MILLI, Duration.ofMinutes(1));
    Durations.requireBetween("longestPoll", longestPoll, shortestPoll, Duration.ofMinutes(10));
    Durations.requireBetween("longestRun", longestRun, MILLI, Duration.ofDays(30));
    Durations.requireBetween("closeTimeout", closeTimeout, Duration.ZERO, Duration.ofDays(1));
  }

  /**
   * Leases of 30 s, 10 attempts, 4 jobs at once, a backoff of up to 1 s that doubles up to 5
   * minutes, polls after 10 ms to 2.5 s, a day for a job, 30 s for the close.
   */
  public static JobRunnerOptions defaults() {
    return new JobRunnerOptions(
        ClaimTerms.leaseFor(Duration.ofSeconds(30)),
        4,
        Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)),
        Duration.ofMillis(10),
        Duration.ofMillis(2_500),
        Duration.ofDays(1),
        Duration.ofSeconds(30));
  }

  /** The same with leases of another length, 1 ms to 30 days. */
  public JobRunnerOptions withLeaseFor(Duration length) {
    return withTerms(ClaimTerms.leaseFor(length).withAttemptBudget(terms.attemptBudget()));
  }

  /** The same with another attempt budget, 1 or more. */
  public JobRunnerOptions withAttemptBudget(int attempts) {
    return withTerms(terms.withAttemptBudget(attempts));
  }

  private JobRunnerOptions withTerms(ClaimTerms other) {
    return new JobRunnerOptions(
        other, concurrency, backoff, shortestPoll, longestPoll, longestRun, closeTimeout);
  }

  /** The same with another number of jobs at once. */
  public JobRunnerOptions withConcurrency(int jobs) {
    return new JobRunnerOptions(
        terms, jobs, backoff, shortestPoll, longestPoll, longestRun, closeTimeout);
  }

  /** The same with another backoff. */
  public JobRunnerOptions withBackoff(Backoff other) {
    return new JobRunnerOptions(
        terms, concurrency, other, shortestPoll, longestPoll, longestRun, closeTimeout);
  }

  /**
   * The same with another {@code longestPoll}; {@code shortestPoll} is lowered to it if need be.
   */
  public JobRunnerOptions withLongestPoll(Duration pause) {
    return new JobRunnerOptions(
        terms,
        concurrency,
        backoff,
        Durations.atMost(shortestPoll, pause),
        pause,
        longestRun,
        closeTimeout);
  }

  /** The same with another {@code longestRun}. */
  public JobRunnerOptions withLongestRun(Duration time) {
    return new JobRunnerOptions(
        terms, concurrency, backoff, shortestPoll, longestPoll, time, closeTimeout);
  }

  /** The same with another {@code closeTimeout}. */
  public JobRunnerOptions withCloseTimeout(Duration time) {
    return new JobRunnerOptions(
        terms, concurrency, backoff, shortestPoll, longestPoll, longestRun, time);
  }

  Terms forEngine() {
    return new Terms(
        terms.leaseFor(),
        concurrency,
        0,
        concurrency,
        attempts -> backoff.after(attempts, ThreadLocalRandom.current()),
        shortestPoll,
        longestPoll,
        longestPoll, // nothing is claimed that no handler is there for
        longestRun);
  }
}

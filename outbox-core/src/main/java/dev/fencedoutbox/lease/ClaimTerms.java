package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;

/**
 * The terms of a claim: how long the lease lasts, and how many attempts a row has before it is
 * buried instead of handed out.
 *
 * <p>Immutable and thread-safe.
 *
 * @param leaseFor 1 ms to 30 days; choose it from observed run times and pauses. A shorter lease
 *     reclaims work that is still running, a longer one delays recovery
 * @param attemptBudget how many claims a row gets, 1 or more. Counted when claimed, so that a
 *     worker that dies each time uses it up as well (article 001)
 */
public record ClaimTerms(Duration leaseFor, int attemptBudget) {

  /** The attempts a row has unless told otherwise. */
  public static final int DEFAULT_ATTEMPT_BUDGET = 10;

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(30);

  /**
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public ClaimTerms {
    requireLease(leaseFor);
    if (attemptBudget < 1) {
      throw new IllegalArgumentException(
          "attemptBudget must be 1 or more and is " + attemptBudget + ". Nothing was sent.");
    }
  }

  /** Terms with a lease of this length and {@value #DEFAULT_ATTEMPT_BUDGET} attempts. */
  public static ClaimTerms leaseFor(Duration leaseFor) {
    return new ClaimTerms(leaseFor, DEFAULT_ATTEMPT_BUDGET);
  }

  static void requireLease(Duration leaseFor) {
    Durations.requireBetween("leaseFor", leaseFor, SHORTEST, LONGEST);
  }

  /** The same with another budget. */
  public ClaimTerms withAttemptBudget(int budget) {
    return new ClaimTerms(leaseFor, budget);
  }
}

package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Terms;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseStatements;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a relay works.
 *
 * <p>Immutable and thread-safe.
 *
 * @param terms how long a lease lasts, and the attempts of a delivery; leases are renewed while
 *     their deliveries are in hand, so the length decides how soon a dead relay's work goes on
 * @param concurrency handlers at work at once, 1 to 10,000
 * @param prefetch deliveries claimed ahead of that, 0 to 10,000; each is leased, and handed back
 *     untouched if its turn does not come within one lease
 * @param claimBatch the most deliveries of one claim, 1 to 10,000
 * @param runLength the most deliveries of one ordering key that are in hand at once, 1 to 10,000
 * @param backoff the wait after a failed attempt
 * @param deadHead what a DEAD delivery does to its ordering key
 * @param pacing how often it looks, and how long it waits
 */
public record RelayOptions(
    ClaimTerms terms,
    int concurrency,
    int prefetch,
    int claimBatch,
    int runLength,
    Backoff backoff,
    DeadHeadPolicy deadHead,
    Pacing pacing) {

  private static final int MOST = LeaseStatements.MAX_CLAIM;

  /**
   * @throws IllegalArgumentException if a number is out of its bounds
   */
  public RelayOptions {
    Objects.requireNonNull(terms, "terms");
    Objects.requireNonNull(backoff, "backoff");
    Objects.requireNonNull(deadHead, "deadHead");
    Objects.requireNonNull(pacing, "pacing");
    require("concurrency", concurrency, 1);
    require("prefetch", prefetch, 0);
    require("claimBatch", claimBatch, 1);
    require("runLength", runLength, 1);
  }

  private static void require(String what, int value, int least) {
    if (value < least || value > MOST) {
      throw new IllegalArgumentException(
          "%s must be %d to %d and is %d. Nothing was started."
              .formatted(what, least, MOST, value));
    }
  }

  /**
   * Leases of 30 s, 10 attempts, 16 handlers, 500 ahead, claims of 100, runs of 30, a backoff of up
   * to 1 s that doubles up to 5 minutes, a DEAD head blocks its key.
   */
  public static RelayOptions defaults() {
    return new RelayOptions(
        ClaimTerms.leaseFor(Duration.ofSeconds(30)),
        16,
        500,
        100,
        KeyWalk.DEFAULT_RUN_LENGTH,
        Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)),
        DeadHeadPolicy.BLOCK,
        Pacing.defaults());
  }

  /** The same with leases of another length, 1 ms to 30 days. */
  public RelayOptions withLeaseFor(Duration length) {
    return withTerms(ClaimTerms.leaseFor(length).withAttemptBudget(terms.attemptBudget()));
  }

  /** The same with another attempt budget, 1 or more. */
  public RelayOptions withAttemptBudget(int attempts) {
    return withTerms(terms.withAttemptBudget(attempts));
  }

  private RelayOptions withTerms(ClaimTerms other) {
    return new RelayOptions(
        other, concurrency, prefetch, claimBatch, runLength, backoff, deadHead, pacing);
  }

  /** The same with another number of handlers at work. */
  public RelayOptions withConcurrency(int handlers) {
    return new RelayOptions(
        terms, handlers, prefetch, claimBatch, runLength, backoff, deadHead, pacing);
  }

  /** The same with another number claimed ahead. */
  public RelayOptions withPrefetch(int ahead) {
    return new RelayOptions(
        terms, concurrency, ahead, claimBatch, runLength, backoff, deadHead, pacing);
  }

  /** The same with claims of another size. */
  public RelayOptions withClaimBatch(int most) {
    return new RelayOptions(
        terms, concurrency, prefetch, most, runLength, backoff, deadHead, pacing);
  }

  /** The same with runs of another length. */
  public RelayOptions withRunLength(int most) {
    return new RelayOptions(
        terms, concurrency, prefetch, claimBatch, most, backoff, deadHead, pacing);
  }

  /** The same with another backoff. */
  public RelayOptions withBackoff(Backoff other) {
    return new RelayOptions(
        terms, concurrency, prefetch, claimBatch, runLength, other, deadHead, pacing);
  }

  /** The same with another policy for DEAD heads. */
  public RelayOptions withDeadHead(DeadHeadPolicy policy) {
    return new RelayOptions(
        terms, concurrency, prefetch, claimBatch, runLength, backoff, policy, pacing);
  }

  /** The same with another pacing. */
  public RelayOptions withPacing(Pacing other) {
    return new RelayOptions(
        terms, concurrency, prefetch, claimBatch, runLength, backoff, deadHead, other);
  }

  Terms forEngine() {
    return new Terms(
        terms.leaseFor(),
        concurrency,
        prefetch,
        claimBatch,
        attempts -> backoff.after(attempts, ThreadLocalRandom.current()),
        pacing.shortestPoll(),
        pacing.sweepEvery(),
        pacing.unknownTopicPause(),
        pacing.longestHandling());
  }
}

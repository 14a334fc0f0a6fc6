package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.lease.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of a delivery, as its handler says. The relay writes it under the lease; if the lease
 * is lost by then, nothing is written.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface DeliveryOutcome {

  /** It is done: the delivery is completed. */
  record Delivered() implements DeliveryOutcome {}

  /**
   * Try again later, unless the attempt budget is used up: then it is buried.
   *
   * @param after from the database's clock when it is recorded, 0 to 365 days; empty: as the
   *     relay's {@link Backoff} says
   * @param reason for people; cleaned and cut
   */
  record Retry(Optional<Duration> after, String reason) implements DeliveryOutcome {

    /**
     * @throws IllegalArgumentException if {@code after} is out of its bounds
     */
    public Retry {
      after.ifPresent(
          wait -> Durations.requireBetween("after", wait, Duration.ZERO, Duration.ofDays(365)));
    }
  }

  /**
   * It was not tried: it is handed back as it was, the attempt given back, and can be claimed at
   * once. A handler that always says so is called again and again.
   *
   * @param reason for interceptors; it is not kept
   */
  record Release(String reason) implements DeliveryOutcome {}

  /**
   * It will never succeed: it is DEAD until somebody redrives it.
   *
   * @param reason for people; cleaned and cut
   */
  record Bury(String reason) implements DeliveryOutcome {}

  /** The handler has ended the claim itself, such as by {@code leases.finish(dsl, lease, ...)}. */
  record Settled() implements DeliveryOutcome {}

  /** It is done. */
  static DeliveryOutcome delivered() {
    return new Delivered();
  }

  /** Try again as the relay's {@link Backoff} says. */
  static DeliveryOutcome retry(String reason) {
    return new Retry(Optional.empty(), reason);
  }

  /** Try again after this long, such as an HTTP {@code Retry-After}. */
  static DeliveryOutcome retryAfter(Duration after, String reason) {
    return new Retry(Optional.of(after), reason);
  }

  /** It was not tried: hand it back, the attempt given back. */
  static DeliveryOutcome release(String reason) {
    return new Release(reason);
  }

  /** It will never succeed. */
  static DeliveryOutcome bury(String reason) {
    return new Bury(reason);
  }

  /** The handler has ended the claim itself. */
  static DeliveryOutcome settled() {
    return new Settled();
  }
}

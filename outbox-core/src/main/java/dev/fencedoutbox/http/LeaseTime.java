package dev.fencedoutbox.http;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.relay.Attempt;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of day by the database's clock, without asking it: the lease ends at a known time of
 * its, and how far off that is, the local monotonic clock tells. It is ahead by as long as the
 * claim or renewal took to reach the database.
 */
final class LeaseTime {

  private LeaseTime() {}

  static Instant now(Attempt attempt) {
    Lease<Long> lease;
    Duration left;
    do {
      lease = attempt.lease();
      left = attempt.trustLeft();
    } while (!lease.leaseUntil().equals(attempt.lease().leaseUntil())); // renewed between the two
    return lease.leaseUntil().toInstant().minus(left);
  }
}

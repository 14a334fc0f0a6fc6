package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.Retry;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Claim, deliver, record: the simplest relay that keeps its promises. Each statement commits by
 * itself, and nothing is open while it posts.
 */
final class RelayLoop {

  /** Short, so that one need not wait long for a lease to run out; in production take more. */
  static final Duration LEASE = Duration.ofSeconds(3);

  static final int BATCH = 10;
  static final Duration RETRY_AFTER = Duration.ofMillis(500);

  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(OrderDesk.BILLING);

  private final DSLContext dsl;
  private final Leases leases;
  private final BillingClient billing;

  RelayLoop(DSLContext dsl, String name, URI endpoint) {
    this.dsl = dsl;
    this.leases = Leases.ownedBy(name);
    this.billing = new BillingClient(endpoint, name);
  }

  /** Claims a batch; it may be empty. */
  List<Claimed<Long, Delivery>> claim() {
    return leases.claim(dsl, DELIVERIES, ClaimTerms.leaseFor(LEASE), BATCH).claimed();
  }

  /** Posts each event while its lease is to be trusted, then records what became of all. */
  RelayTally deliver(List<Claimed<Long, Delivery>> batch) throws InterruptedException {
    List<Lease<Long>> delivered = new ArrayList<>();
    List<Retry<Long>> failed = new ArrayList<>();
    List<Lease<Long>> notStarted = new ArrayList<>();
    for (Claimed<Long, Delivery> claimed : batch) {
      Lease<Long> lease = claimed.lease();
      if (lease.trustLeft(System.nanoTime()).compareTo(Duration.ZERO) <= 0) {
        notStarted.add(lease); // perhaps somebody else's by now
        continue;
      }
      Optional<String> problem = billing.post(claimed.row());
      if (problem.isEmpty()) {
        delivered.add(lease);
      } else {
        failed.add(new Retry<>(lease, RETRY_AFTER, problem.get()));
      }
    }
    List<LeaseOutcome> completions = leases.completeAll(dsl, delivered);
    List<LeaseOutcome> retries = leases.retryAll(dsl, failed);
    List<LeaseOutcome> releases = leases.releaseAll(dsl, notStarted);
    return RelayTally.recorded(
        accepted(completions),
        accepted(retries),
        refused(completions) + refused(retries) + refused(releases));
  }

  private static int accepted(List<LeaseOutcome> outcomes) {
    return (int) outcomes.stream().filter(LeaseOutcome::accepted).count();
  }

  private static int refused(List<LeaseOutcome> outcomes) {
    return outcomes.size() - accepted(outcomes);
  }
}

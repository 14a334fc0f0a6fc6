package dev.fencedoutbox.relay;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.relay.Work.Stage;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the leases of what is in hand, begun or not, once a third of their length is used up. A
 * failure is repeated; if it lasts, {@link Watch} stops what cannot be trusted any more. For one
 * thread.
 */
final class Renewer {

  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final RelayDatabase database;
  private final Leases leases;
  private final Duration leaseFor;
  private final Duration longestHandling;
  private final Holdings holdings;
  private final Tally tally;
  private final LongSupplier nanoClock;

  Renewer(Engine.Parts parts, Holdings holdings, Tally tally) {
    this.database = parts.database();
    this.leases = parts.leases();
    this.leaseFor = parts.options().terms().leaseFor();
    this.longestHandling = parts.options().pacing().longestHandling();
    this.holdings = holdings;
    this.tally = tally;
    this.nanoClock = parts.nanoClock();
  }

  /** Renews what is due; false if a transaction failed. */
  boolean renewDue() {
    long now = nanoClock.getAsLong();
    List<Work> due =
        holdings.at(Stage.WAITING, Stage.RUNNING, Stage.ANSWERED).stream()
            .filter(work -> !work.isLost() && work.isRenewalDue(now))
            .filter(work -> work.runningFor(now).compareTo(longestHandling) < 0)
            .toList();
    return due.isEmpty() || renew(due);
  }

  private boolean renew(List<Work> works) {
    List<Lease<Long>> held = works.stream().map(Work::lease).toList();
    Tried<List<RenewOutcome<Long>>> tried =
        database.attempt(tx -> leases.renewAll(tx, held, leaseFor));
    if (tried instanceof Tried.Failed<List<RenewOutcome<Long>>> failed) {
      return onFailure(works, failed.fault());
    }
    List<RenewOutcome<Long>> outcomes = ((Tried.Done<List<RenewOutcome<Long>>>) tried).value();
    for (int i = 0; i < works.size(); i++) {
      take(works.get(i), outcomes.get(i));
    }
    return true;
  }

  /** One locked or unwritable row must not cost the others their leases. */
  private boolean onFailure(List<Work> works, Fault fault) {
    tally.failedTransactions.increment();
    boolean oneIsToBlame = fault.kind() == Fault.Kind.LOCKED || fault.kind() == Fault.Kind.BROKEN;
    if (oneIsToBlame && works.size() > 1) {
      boolean first = renew(works.subList(0, works.size() / 2));
      return renew(works.subList(works.size() / 2, works.size())) && first;
    }
    LOG.warn(
        "Could not renew {} leases (SQLSTATE {}): {}. It is repeated while they last.",
        works.size(),
        fault.sqlState(),
        String.valueOf(fault.cause()));
    return false;
  }

  private void take(Work work, RenewOutcome<Long> outcome) {
    if (outcome instanceof RenewOutcome.Renewed<Long> renewed) {
      work.renewed(renewed.lease());
      return;
    }
    LeaseOutcome reason = ((RenewOutcome.Refused<Long>) outcome).reason();
    boolean taken = reason == LeaseOutcome.SUPERSEDED || reason == LeaseOutcome.EXPIRED;
    // Settled or gone: recorded just now, or ended by the handler itself; its record will tell
    if (taken && work.lose()) {
      tally.lost.increment();
      LOG.warn(
          "Lost the lease on {}: {}. Its handler was interrupted and nothing of it is recorded;"
              + " whoever claims it delivers it.",
          work,
          reason);
    }
  }
}

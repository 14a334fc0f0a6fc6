package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the leases of what is in hand, begun or not, once a third of their length is used up. A
 * failure is repeated; if it lasts, {@link Watch} stops what cannot be trusted any more. For one
 * thread.
 */
final class Renewer {

  /** What was asked of the database in one transaction. */
  private record Asked(List<Work> works, List<RenewOutcome<Long>> outcomes) {}

  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final OwnTransactions database;
  private final Trade<?> trade;
  private final LockedRows lockedRows;
  private final Leases leases;
  private final Duration leaseFor;
  private final Duration longestHandling;
  private final Holdings holdings;
  private final Tally tally;
  private final LongSupplier nanoClock;
  private boolean complete;

  Renewer(Engine.Parts<?> parts, Holdings holdings, Tally tally) {
    this.database = parts.database();
    this.trade = parts.trade();
    this.lockedRows = new LockedRows(trade.key());
    this.leases = parts.leases();
    this.leaseFor = parts.terms().leaseFor();
    this.longestHandling = parts.terms().longestHandling();
    this.holdings = holdings;
    this.tally = tally;
    this.nanoClock = parts.nanoClock();
  }

  /** Renews what is due; false if not all of it could be renewed. */
  boolean renewDue() {
    long now = nanoClock.getAsLong();
    List<Work> due = // of those whose record fails, the leases are to end
        holdings.at(Stage.WAITING, Stage.RUNNING, Stage.ANSWERED).stream()
            .filter(work -> !work.isLost() && !work.isOver() && work.isRenewalDue(now))
            .filter(work -> !(work.isRecordFailing() && work.stage() == Stage.ANSWERED))
            .filter(work -> work.runningFor(now).compareTo(longestHandling) < 0)
            .toList();
    complete = true;
    Narrowing<Work> together =
        new Narrowing<>(Narrowing.OF_A_BATCH, works -> renew(works, false), this::repeatLater);
    together.run(due.stream().filter(work -> !work.isRenewalFailing()).toList());
    Narrowing<Work> alone =
        new Narrowing<>(Narrowing.OF_SINGLES, works -> renew(works, true), this::repeatLater);
    List<Work> failing = new ArrayList<>(due.stream().filter(Work::isRenewalFailing).toList());
    Collections.shuffle(failing, ThreadLocalRandom.current()); // so that each gets its turn
    failing.stream().takeWhile(work -> !alone.isExhausted()).forEach(w -> alone.run(List.of(w)));
    return complete;
  }

  private @Nullable Fault renew(List<Work> works, boolean passLocked) {
    Tried<Asked> tried = database.attempt(tx -> ask(tx, passLocked ? unlocked(tx, works) : works));
    if (tried instanceof Tried.Failed<Asked> failed) {
      tally.failedTransactions.increment();
      boolean oneIsLocked = failed.fault().kind() == Fault.Kind.LOCKED;
      return oneIsLocked && !passLocked ? renew(works, true) : failed.fault();
    }
    Asked asked = ((Tried.Done<Asked>) tried).value();
    for (int i = 0; i < asked.works().size(); i++) {
      take(asked.works().get(i), asked.outcomes().get(i));
    }
    tellOfLocked(works.size() - asked.works().size());
    return null;
  }

  private Asked ask(DSLContext tx, List<Work> works) {
    List<Lease<Long>> held = works.stream().map(Work::lease).toList();
    return new Asked(works, leases.renewAll(tx, held, leaseFor));
  }

  /** One locked row must not cost the others their leases, nor the time to wait for it. */
  private List<Work> unlocked(DSLContext tx, List<Work> works) {
    Set<Long> locked = lockedRows.among(tx, works.stream().map(Work::lease).toList());
    return works.stream().filter(work -> !locked.contains(work.lease().key())).toList();
  }

  private void tellOfLocked(int locked) {
    if (locked > 0) {
      complete = false;
      LOG.warn(
          "Could not renew {} leases: other sessions have their rows locked. It is repeated while"
              + " they last.",
          locked);
    }
  }

  private void repeatLater(List<Work> works, Fault fault) {
    complete = false;
    if (works.size() == 1 && fault.mayBeOfOneRow()) {
      works.get(0).renewalFails();
    }
    LOG.warn(
        "Could not renew {} leases (SQLSTATE {}): {}. It is repeated while they last.",
        works.size(),
        fault.sqlState(),
        String.valueOf(fault.cause()));
  }

  private void take(Work work, RenewOutcome<Long> outcome) {
    if (outcome instanceof RenewOutcome.Renewed<Long> renewed) {
      work.renewed(renewed.lease());
      return;
    }
    LeaseOutcome reason = ((RenewOutcome.Refused<Long>) outcome).reason();
    if (isItsOwnEnd(work, reason)) {
      work.over();
    } else if (work.lose()) { // not what is recorded just now: its record will tell
      tally.lost.increment();
      LOG.warn(
          "Lost the lease on {}: {}. Its handler was interrupted and nothing of it is recorded.",
          work,
          reason);
    }
  }

  private boolean isItsOwnEnd(Work work, LeaseOutcome reason) {
    boolean ended = reason == LeaseOutcome.SETTLED || reason == LeaseOutcome.GONE;
    return ended
        && work.stage() == Stage.RUNNING
        && work.isTrusted(nanoClock.getAsLong())
        && (trade.handlersMaySettle() || work.isSettling());
  }
}

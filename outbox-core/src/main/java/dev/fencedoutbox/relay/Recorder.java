package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.relay.Tried.Done;
import dev.fencedoutbox.relay.Tried.Failed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what has been answered: all that is there by then, at once, so that a lone answer does not
 * wait and many share a transaction. One thread writes; any thread may add.
 *
 * <p>A failure is repeated while the lease lasts. One that hangs on a row is narrowed down to it,
 * so that the others are recorded.
 */
final class Recorder {

  /** An answer to write. */
  record Answer(Work work, Verdict verdict) {

    Lease<Long> lease() {
      return work.lease();
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int MOST_AT_ONCE = 1_000;

  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Signal answered = new Signal();
  private final List<Answer> postponed = new ArrayList<>();
  private final RelayDatabase database;
  private final RecordStatements statements;
  private final Holdings holdings;
  private final Tally tally;
  private final LongSupplier nanoClock;
  private boolean failing;

  Recorder(
      RelayDatabase database,
      RecordStatements statements,
      Holdings holdings,
      Tally tally,
      LongSupplier nanoClock) {
    this.database = database;
    this.statements = statements;
    this.holdings = holdings;
    this.tally = tally;
    this.nanoClock = nanoClock;
  }

  void add(Work work, Verdict verdict) {
    work.answer();
    answers.add(new Answer(work, verdict));
    answered.raise();
  }

  /** Ends the claim of one that no handler was called for, unless that was done before. */
  void handBack(Work work, Verdict verdict) {
    if (work.takeBack()) {
      answers.add(new Answer(work, verdict));
      answered.raise();
    }
  }

  /** Hands back what waits behind it in its run: its handler may never return. */
  void handBackAfter(Work work) {
    work.run().abortAt(work);
    for (Work later : work.run().works()) {
      if (later.comesAfter(work)) {
        handBack(later, new Verdict.Back());
      }
    }
  }

  /** The handler has ended the claim itself. */
  void settled(Work work) {
    tally.delivered.increment();
    holdings.remove(work);
  }

  /** Its lease is lost: nothing is written. */
  void drop(Work work) {
    holdings.remove(work);
  }

  /** Waits for an answer, at the most so long. */
  void awaitAnswer(Duration longest) throws InterruptedException {
    if (answers.isEmpty()) {
      answered.await(longest);
    }
  }

  /** Ends a wait for an answer. */
  void wakeUp() {
    answered.raise();
  }

  /** Writes all that is answered; whether all of it is settled. */
  boolean writeAnswered() {
    failing = false;
    List<Answer> fresh = new ArrayList<>();
    for (Answer next = answers.poll(); next != null; next = answers.poll()) {
      fresh.add(next);
      if (fresh.size() >= MOST_AT_ONCE) {
        break;
      }
    }
    List<Answer> before = List.copyOf(postponed);
    writeByKind(fresh); // first, so that one row that is stuck does not hold up the others
    postponed.removeAll(before);
    writeByKind(before);
    return postponed.isEmpty();
  }

  /** Whether the database failed at the last write, and not only a row. */
  boolean isFailing() {
    return failing;
  }

  private void writeByKind(List<Answer> batch) {
    for (Class<? extends Verdict> kind : RecordStatements.KINDS) {
      List<Answer> same =
          batch.stream()
              .filter(answer -> kind.isInstance(answer.verdict()))
              .sorted(Comparator.comparing((Answer answer) -> answer.lease().key()))
              .toList();
      if (!same.isEmpty()) {
        same.forEach(answer -> answer.work().writing());
        write(same);
      }
    }
  }

  private void write(List<Answer> given) {
    List<Answer> same = inTurn(given);
    if (same.isEmpty()) {
      return;
    }
    Tried<List<LeaseOutcome>> tried =
        database.attempt(
            tx -> statements.write(tx, same), outcomes -> RunOrder.isKept(same, outcomes));
    if (tried instanceof Failed<List<LeaseOutcome>> failed) {
      onFailure(same, failed.fault());
      return;
    }
    Done<List<LeaseOutcome>> done = (Done<List<LeaseOutcome>>) tried;
    if (done.committed()) {
      for (int i = 0; i < same.size(); i++) {
        settle(same.get(i), done.value().get(i));
      }
    } else {
      same.forEach(answer -> write(List.of(answer)));
    }
  }

  /**
   * Those whose turn it is. What was delivered after one of its key whose record is still to come
   * waits for that; after one whose record was refused it was delivered too early, and goes back.
   */
  private List<Answer> inTurn(List<Answer> same) {
    List<Answer> now = new ArrayList<>();
    List<Answer> tooEarly = new ArrayList<>();
    for (Answer answer : same) {
      Work work = answer.work();
      boolean leavesItsKey =
          answer.verdict() instanceof Verdict.Complete || answer.verdict() instanceof Verdict.Dead;
      if (leavesItsKey && work.run().isBrokenBefore(work)) {
        tooEarly.add(new Answer(work, new Verdict.Back()));
      } else if (leavesItsKey
          && postponed.stream().anyMatch(other -> work.comesAfter(other.work()))) {
        postpone(answer);
      } else {
        now.add(answer);
      }
    }
    if (!tooEarly.isEmpty()) {
      write(tooEarly);
    }
    return now;
  }

  private void postpone(Answer answer) {
    answer.work().answer();
    postponed.add(answer);
  }

  private void settle(Answer answer, LeaseOutcome outcome) {
    boolean tookPlaceBefore =
        answer.work().isUncertain()
            && (outcome == LeaseOutcome.GONE || outcome == LeaseOutcome.SETTLED);
    if (outcome.accepted() || tookPlaceBefore) {
      count(answer);
    } else {
      tally.refused.increment();
      LOG.warn(
          "Could not record {} as {}: {}. Nothing was written, and whoever has claimed it since"
              + " delivers it. No action is needed unless this repeats; then leases are too short.",
          answer.work(),
          answer.verdict(),
          outcome);
      answer.work().run().breakAt(answer.work());
    }
    holdings.remove(answer.work());
  }

  private void count(Answer answer) {
    Verdict verdict = answer.verdict();
    if (verdict instanceof Verdict.Complete) {
      tally.delivered.increment();
    } else if (verdict instanceof Verdict.Again) {
      tally.retried.increment();
    } else if (verdict instanceof Verdict.Dead dead) {
      tally.buried.increment();
      LOG.error(
          "Buried {}; it is DEAD and is not claimed again until somebody redrives it. Reason: {}",
          answer.work(),
          Texts.cleanError(dead.reason()));
    } else {
      tally.released.increment();
    }
  }

  private void onFailure(List<Answer> same, Fault fault) {
    tally.failedTransactions.increment();
    same.forEach(answer -> answer.work().writtenPerhaps());
    boolean oneIsToBlame = fault.kind() == Fault.Kind.LOCKED || fault.kind() == Fault.Kind.BROKEN;
    if (oneIsToBlame && same.size() > 1) {
      write(same.subList(0, same.size() / 2));
      write(same.subList(same.size() / 2, same.size()));
    } else if (fault.kind() == Fault.Kind.BROKEN) {
      same.forEach(answer -> abandon(answer, fault));
    } else {
      repeatLater(same, fault);
    }
  }

  private void repeatLater(List<Answer> same, Fault fault) {
    LOG.warn(
        "Could not record {} deliveries (SQLSTATE {}): {}. It is repeated while their leases last.",
        same.size(),
        fault.sqlState(),
        String.valueOf(fault.cause()));
    failing |= fault.kind() != Fault.Kind.LOCKED;
    for (Answer answer : same) {
      if (answer.work().isTrusted(nanoClock.getAsLong())) {
        postpone(answer);
      } else {
        abandon(answer, fault);
      }
    }
  }

  /** Left to its lease: when that is over, the delivery is claimed again. */
  private void abandon(Answer answer, Fault fault) {
    LOG.error(
        "Could not record {} as {} (SQLSTATE {}), so nothing was written. It is delivered again"
            + " when its lease is over.",
        answer.work(),
        answer.verdict(),
        fault.sqlState(),
        fault.cause());
    answer.work().run().breakAt(answer.work());
    holdings.remove(answer.work());
  }
}

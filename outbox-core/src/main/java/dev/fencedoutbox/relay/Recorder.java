package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.relay.Tried.Done;
import dev.fencedoutbox.relay.Tried.Failed;
import java.time.Duration;
import java.util.ArrayList;
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
    List<Answer> batch = new ArrayList<>(postponed);
    postponed.clear();
    for (Answer next = answers.poll(); next != null; next = answers.poll()) {
      batch.add(next);
      if (batch.size() >= MOST_AT_ONCE) {
        break;
      }
    }
    for (Class<? extends Verdict> kind : RecordStatements.KINDS) {
      List<Answer> same =
          batch.stream().filter(answer -> kind.isInstance(answer.verdict())).toList();
      if (!same.isEmpty()) {
        same.forEach(answer -> answer.work().writing());
        write(same);
      }
    }
    return postponed.isEmpty();
  }

  private void write(List<Answer> same) {
    Tried<List<LeaseOutcome>> tried =
        database.attempt(
            tx -> statements.write(tx, same), outcomes -> RunOrder.isKept(same, outcomes));
    if (tried instanceof Failed<List<LeaseOutcome>> failed) {
      onFailure(same, failed.fault());
      return;
    }
    List<LeaseOutcome> outcomes = ((Done<List<LeaseOutcome>>) tried).value();
    if (RunOrder.isKept(same, outcomes)) {
      for (int i = 0; i < same.size(); i++) {
        settle(same.get(i), outcomes.get(i));
      }
    } else {
      writeEachInOrder(same); // that was rolled back
    }
  }

  /**
   * One by one; whatever follows a refused one of its key was delivered too early, and goes back.
   */
  private void writeEachInOrder(List<Answer> same) {
    for (Answer answer : same) {
      boolean tooEarly = answer.work().run().isAborted();
      write(List.of(tooEarly ? new Answer(answer.work(), new Verdict.Back()) : answer));
    }
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
      answer.work().run().abort();
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
          dead.reason());
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
    for (Answer answer : same) {
      if (answer.work().isTrusted(nanoClock.getAsLong())) {
        postponed.add(answer);
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
    answer.work().run().abort();
    holdings.remove(answer.work());
  }
}

package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Tried.Done;
import dev.fencedoutbox.engine.Tried.Failed;
import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.LeaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what has been answered: all that is there by then, at once, so that a lone answer does not
 * wait and many share a transaction. Only what is of runs that are at work waits for the others of
 * them, a millisecond at the most. One thread writes; any thread may add.
 *
 * <p>A failure is repeated while the lease lasts. What others have locked is passed over without
 * waiting, and one that hangs on a row is narrowed down to it, so that the others are recorded.
 */
final class Recorder {

  /** What one transaction wrote. */
  private record Written(List<Answer> answers, List<LeaseOutcome> outcomes) {

    boolean keepsOrder() {
      return RunOrder.isKept(answers, outcomes);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int MOST_AT_ONCE = 1_000;

  /** Less than a transaction takes, and the key is free one transaction earlier. */
  private static final Duration FOR_THE_RUN = Duration.ofMillis(1);

  /** In this order, so that a head leaves its key before what was delivered after it. */
  private static final List<Class<? extends Verdict>> KINDS =
      List.of(
          Verdict.Dead.class,
          Verdict.Complete.class,
          Verdict.Again.class,
          Verdict.Back.class,
          Verdict.Undone.class,
          Verdict.Later.class);

  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Signal answered = new Signal();
  private final Unsettled unsettled = new Unsettled();
  private final OwnTransactions database;
  private final Trade<?> trade;
  private final LockedRows lockedRows;
  private final Holdings holdings;
  private final Tally tally;
  private final LongSupplier nanoClock;
  private boolean outage;
  private boolean exhausted;
  private boolean anySettled;
  private volatile boolean failing; // of the last write, once that is over

  Recorder(
      OwnTransactions database,
      Trade<?> trade,
      Holdings holdings,
      Tally tally,
      LongSupplier nanoClock) {
    this.database = database;
    this.trade = trade;
    this.lockedRows = new LockedRows(trade.key());
    this.holdings = holdings;
    this.tally = tally;
    this.nanoClock = nanoClock;
  }

  void add(Work work, Verdict verdict) {
    synchronized (work) {
      if (!work.isHandedOver()) {
        boolean unused = work.answer();
        answers.add(new Answer(work, verdict));
        work.handOver();
      }
    }
    answered.raise();
  }

  /** Ends the claim of one that no handler was called for, unless that was done before. */
  void handBack(Work work, Verdict verdict) {
    synchronized (work) { // so that nobody finds it taken and not handed over
      if (work.takeBack()) {
        if (work.isLost()) {
          drop(work);
        } else {
          add(work, verdict);
        }
      }
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
    tally.settled.increment();
    holdings.remove(work);
  }

  /** Its lease is lost: nothing is written. */
  void drop(Work work) {
    holdings.remove(work);
  }

  /** Waits for an answer, at the most so long; if it is of a run at work, for the run as well. */
  void awaitAnswer(Duration longest) throws InterruptedException {
    if (answers.isEmpty()) {
      answered.await(longest);
    }
    long begun = System.nanoTime();
    Duration left = FOR_THE_RUN;
    while (left.compareTo(Duration.ZERO) > 0 && areAllOfRunsUnderWay()) {
      answered.await(left);
      left = FOR_THE_RUN.minusNanos(System.nanoTime() - begun);
    }
  }

  /** Nothing else would be held up by a wait. */
  boolean areAllOfRunsUnderWay() {
    return !answers.isEmpty()
        && answers.stream().allMatch(answer -> answer.work().run().isUnderWay());
  }

  /** Ends a wait for an answer. */
  void wakeUp() {
    answered.raise();
  }

  /** Writes all that is answered; whether all of it is settled. */
  boolean writeAnswered() {
    outage = false;
    exhausted = false;
    anySettled = false;
    List<Answer> fresh = new ArrayList<>(MOST_AT_ONCE); // so that no answer is lost on its way
    try {
      for (Answer next = answers.poll(); next != null; next = answers.poll()) {
        fresh.add(next);
        if (fresh.size() == MOST_AT_ONCE) {
          break;
        }
      }
      List<Answer> before = unsettled.answers(false);
      List<Answer> blamed = unsettled.answers(true);
      writeByKind(fresh, false); // first, so that a row that is stuck does not hold up the others
      if (!outage) {
        writeByKind(before, true);
        writeOneByOne(blamed);
      }
      unsettled.forEachWhere(work -> !work.isTrusted(nanoClock.getAsLong()), this::abandon);
    } finally {
      unsettled.keep(fresh);
      failing = outage || (exhausted && !anySettled);
    }
    return unsettled.isEmpty();
  }

  /**
   * Whether the database failed at the last write, and not only some rows, so that no more should
   * be claimed.
   */
  boolean isFailing() {
    return failing;
  }

  private void writeByKind(List<Answer> batch, boolean passLocked) {
    Narrowing<Answer> narrowing = narrowing(Narrowing.OF_A_BATCH, passLocked);
    for (Class<? extends Verdict> kind : KINDS) {
      narrowing.run(
          batch.stream()
              .filter(answer -> kind.isInstance(answer.verdict()))
              .sorted(Comparator.comparing((Answer answer) -> answer.lease().key()))
              .toList());
    }
    exhausted |= narrowing.isExhausted();
  }

  private void writeOneByOne(List<Answer> blamed) {
    Narrowing<Answer> narrowing = narrowing(Narrowing.OF_SINGLES, true);
    for (Answer answer : blamed) {
      if (!narrowing.isExhausted()) {
        narrowing.run(List.of(answer));
      }
    }
    exhausted |= narrowing.isExhausted();
  }

  private Narrowing<Answer> narrowing(int failures, boolean passLocked) {
    return new Narrowing<>(failures, batch -> write(batch, passLocked), this::repeatLater);
  }

  private @Nullable Fault write(List<Answer> given, boolean passLocked) {
    List<Answer> same = inTurn(given);
    if (same.isEmpty()) {
      return null;
    }
    same.forEach(answer -> answer.work().writing());
    Tried<Written> tried =
        database.attempt(tx -> written(tx, same, passLocked), Written::keepsOrder);
    if (tried instanceof Failed<Written> failed) {
      tally.failedTransactions.increment();
      same.forEach(answer -> answer.work().notWritten(failed.fault().mayHaveTakenPlace()));
      boolean oneIsLocked = failed.fault().kind() == Fault.Kind.LOCKED;
      return oneIsLocked && !passLocked ? write(same, true) : failed.fault();
    }
    Done<Written> done = (Done<Written>) tried;
    List<Answer> passedOver = new ArrayList<>(same);
    passedOver.removeAll(Set.copyOf(done.value().answers()));
    passOver(passedOver);
    if (done.committed()) {
      settle(done.value());
      trade.recorded();
    } else {
      Narrowing<Answer> singles = narrowing(Narrowing.OF_A_BATCH, passLocked);
      done.value().answers().forEach(answer -> singles.run(List.of(answer)));
      unsettled.keep(done.value().answers());
    }
    return null;
  }

  private Written written(DSLContext tx, List<Answer> same, boolean passLocked) {
    if (!passLocked) {
      return new Written(same, trade.write(tx, same));
    }
    Set<Long> locked = lockedRows.among(tx, same.stream().map(Answer::lease).toList());
    List<Answer> free = RunOrder.upToLocked(locked, same);
    return new Written(free, free.isEmpty() ? List.of() : trade.write(tx, free));
  }

  /**
   * Those whose turn it is. What was delivered after one of its key whose record is still to come
   * waits for that; after one whose record was refused it was delivered too early, and goes back.
   */
  private List<Answer> inTurn(List<Answer> given) {
    List<Answer> now = new ArrayList<>();
    Set<Work> written = new HashSet<>();
    List<Answer> tooEarly = new ArrayList<>();
    for (Answer answer : given) {
      Work work = answer.work();
      if (answer.leavesItsKey() && work.run().isBrokenBefore(work)) {
        tooEarly.add(new Answer(work, new Verdict.Undone()));
      } else if (answer.leavesItsKey() && unsettled.makesWait(work, written)) {
        postpone(answer, null);
      } else {
        now.add(answer);
        written.add(work);
      }
    }
    narrowing(Narrowing.OF_A_BATCH, true).run(tooEarly);
    return now;
  }

  private boolean postpone(Answer answer, @Nullable Fault fault) {
    answer.work().notWritten(false);
    return unsettled.put(answer, fault);
  }

  private void settle(Written written) {
    for (int i = 0; i < written.answers().size(); i++) {
      settle(written.answers().get(i), written.outcomes().get(i));
    }
  }

  private void passOver(List<Answer> locked) {
    long news = locked.stream().filter(answer -> postpone(answer, null)).count();
    if (news > 0) {
      LOG.warn(
          "Could not record {} answers yet, such as {}: other sessions have their rows locked."
              + " It is repeated while their leases last.",
          news,
          locked.get(0).work());
    }
  }

  private void settle(Answer answer, LeaseOutcome outcome) {
    boolean tookPlaceBefore =
        answer.work().isUncertain()
            && (outcome == LeaseOutcome.GONE || outcome == LeaseOutcome.SETTLED);
    boolean counts = outcome.accepted() || tookPlaceBefore;
    end(answer.work());
    anySettled = true;
    if (counts) {
      count(answer);
    } else {
      answer.work().run().breakAt(answer.work());
      tally.refused.increment();
      LOG.warn(
          "Could not record {} as {}: {}. Nothing was written, and whoever has claimed it since"
              + " does it. No action is needed unless this repeats; then leases are too short.",
          answer.work(),
          answer.verdict(),
          outcome);
    }
  }

  private void end(Work work) {
    unsettled.remove(work);
    holdings.remove(work);
  }

  private void count(Answer answer) {
    Verdict verdict = answer.verdict();
    if (verdict instanceof Verdict.Complete) {
      tally.done.increment();
    } else if (verdict instanceof Verdict.Again) {
      tally.retried.increment();
    } else if (verdict instanceof Verdict.Dead dead) {
      tally.buried.increment();
      LOG.error(
          "Buried {}; it is DEAD and is not claimed again until somebody redrives it. Reason: {}",
          answer.work(),
          Texts.cleanError(dead.reason()));
    } else if (verdict instanceof Verdict.Undone) {
      tally.abandoned.increment();
      LOG.warn(
          "Handed back {}, which was done: one before it of its key was not. It is done again after"
              + " that, as if for the first time.",
          answer.work());
    } else {
      tally.released.increment();
    }
  }

  private void repeatLater(List<Answer> same, Fault fault) {
    if (fault.mayBeOfOneRow() && same.size() == 1) {
      same.get(0).work().recordFails();
    }
    outage |= !fault.mayBeOfOneRow();
    long news = same.stream().filter(answer -> postpone(answer, fault)).count();
    if (news > 0 || outage) {
      LOG.warn(
          "Could not record {} answers (SQLSTATE {}): {}. It is repeated while their leases"
              + " last.",
          same.size(),
          fault.sqlState(),
          String.valueOf(fault.cause()));
    }
  }

  /** Left to its lease: when that is over, the delivery is claimed again. */
  private void abandon(Answer answer, @Nullable Fault fault) {
    answer.work().run().breakAt(answer.work());
    end(answer.work());
    tally.abandoned.increment();
    LOG.error(
        "Could not record {} as {} while its lease lasted ({}). Unless it was recorded and the answer"
            + " got lost, it is done again when its lease is over.",
        answer.work(),
        answer.verdict(),
        fault == null
            ? "another session had its row locked, or it waited for one before it"
            : "SQLSTATE " + fault.sqlState(),
        fault == null ? null : fault.cause());
  }
}

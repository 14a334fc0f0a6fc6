package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.lease.Leases;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The rooms of an engine and the doors between them; no thread of its own. {@link EngineThreads}
 * takes its steps, or a test does.
 *
 * @param <W> what is worked on
 */
public final class Engine<W extends Work> {

  /** What an engine is made of. */
  public record Parts<W extends Work>(
      OwnTransactions database,
      Leases leases,
      Trade<W> trade,
      Terms terms,
      LongSupplier nanoClock) {}

  private final Trade<W> trade;
  private final Terms terms;
  private final LongSupplier nanoClock;
  private final Tally tally = new Tally();
  private final Signal wakeups = new Signal();
  private final Signal backlog = new Signal();
  private final Signal room = new Signal();
  private final Holdings holdings = new Holdings(this::roomAppeared, wakeups::raise);
  private final Ahead ahead;
  private final Recorder recorder;
  private final Deliverer<W> deliverer;
  private final Dispatcher<W> dispatcher;
  private final Renewer renewer;
  private final Watch watch;
  private volatile boolean behind;
  private volatile boolean releasing;

  /** One that is at rest; handlers run on {@code executor}. */
  public Engine(Parts<W> parts, Executor executor) {
    this.trade = parts.trade();
    this.terms = parts.terms();
    this.nanoClock = parts.nanoClock();
    this.ahead = new Ahead(terms.concurrency(), terms.prefetch());
    this.recorder =
        new Recorder(parts.database(), parts.trade(), holdings, tally, parts.nanoClock());
    this.deliverer = new Deliverer<>(trade, terms, recorder, parts.nanoClock());
    this.dispatcher = new Dispatcher<>(deliverer, trade, executor, terms.concurrency());
    this.renewer = new Renewer(parts, holdings, tally);
    this.watch = new Watch(parts, this);
  }

  /**
   * Whether to claim now: not for a few at a time, unless nothing waits, nor while nothing can be
   * recorded.
   */
  boolean isWorthwhile() {
    if (recorder.isFailing()) {
      return false;
    }
    int free = ahead.free(holdings.size());
    return free >= halfAClaim() || (free > 0 && dispatcher.isEmpty());
  }

  /** Claims what fits, and queues what it brought. */
  public Tried<Step> claim() {
    return claim(() -> {});
  }

  /** The same; {@code queued} is run each time something was, before more is claimed. */
  Tried<Step> claim(Runnable queued) {
    boolean dry = dispatcher.isEmpty();
    Tried<Step> tried = claimInto(trade::claim, 1, queued);
    if (dry
        && tried instanceof Tried.Done<Step> done
        && done.value().found() > 0
        && done.value().more()) {
      ahead.ranDry();
    }
    behind = tried instanceof Tried.Done<Step> && trade.leavesMuch();
    if (behind) {
      backlog.raise();
    }
    return tried;
  }

  /** Whether a second thread should claim beside the first: much is left, and there is room. */
  boolean isWorthwhileBeside() {
    return behind && !recorder.isFailing() && ahead.free(holdings.size()) >= halfAClaim();
  }

  /** Claims beside the first, by a second thread; no more of them once one was not full. */
  Tried<Step> claimBeside(Runnable queued) {
    Tried<Step> tried = claimInto(trade::claimBeside, halfAClaim(), queued);
    if (!(tried instanceof Tried.Done<Step> done && done.value().more())) {
      behind = false;
    }
    return tried;
  }

  /** Whether the last claim left much behind. */
  boolean isBehind() {
    return behind;
  }

  private int halfAClaim() {
    return Math.max(1, Math.min(terms.claimBatch(), ahead.capacity()) / 2);
  }

  private interface Claim<W extends Work> {
    Tried<Step> of(int limit, Trade.Intake<W> into);
  }

  /** If there is room for so many at least; otherwise it was not asked, and there may be more. */
  private Tried<Step> claimInto(Claim<W> claim, int least, Runnable queued) {
    int limit = ahead.reserve(holdings::size, least, terms.claimBatch());
    if (limit == 0) {
      return new Tried.Done<>(Step.NOTHING.andMaybeMore(), true);
    }
    try {
      Tried<Step> tried =
          claim.of(
              limit,
              (step, runs) -> {
                take(step, runs);
                queued.run();
              });
      if (tried instanceof Tried.Failed<Step>) {
        tally.failedTransactions.increment();
      }
      return tried;
    } finally {
      ahead.giveBack(limit);
      roomAppeared(); // what it did not bring, which the other thread may wait for
      if (releasing) {
        releaseWaiting(); // a claim for whose end the close did not wait
      }
    }
  }

  private void roomAppeared() {
    room.raise();
    if (behind) {
      backlog.raise();
    }
  }

  private void take(Step step, List<Run<W>> runs) {
    try {
      runs.forEach(run -> holdings.add(run.works()));
      tally.claimed(step);
      Set<Long> stuck = holdings.stuckRows(nanoClock.getAsLong());
      runs.forEach(run -> deliverer.refuseStuck(run, stuck));
    } finally {
      dispatcher.add(runs);
    }
  }

  /** Calls no handler any more; what is left of runs that are under way goes back. */
  void beginNothing() {
    deliverer.stop();
    dispatcher.stop();
  }

  /** Begins nothing more, and hands back what waits for a handler. */
  public void releaseWaiting() {
    releasing = true;
    beginNothing();
    dispatcher.takeOut(run -> true, work -> recorder.handBack(work, new Verdict.Back()));
  }

  /** Calls handlers, in this thread, until nothing waits. */
  public void deliver() {
    for (List<Run<W>> next = dispatcher.take(); !next.isEmpty(); next = dispatcher.take()) {
      deliverer.deliver(next);
    }
  }

  /** Writes the answers; whether all of them are settled, so that none is to be repeated. */
  public boolean record() {
    return recorder.writeAnswered();
  }

  /** Renews the leases that are due; whether that succeeded. */
  public boolean renew() {
    return renewer.renewDue();
  }

  /** Stops what cannot be trusted any more, and takes out what waited for too long. */
  public void watch() {
    watch.look();
  }

  /** What is claimed and not begun. */
  public List<Work> waiting() {
    return holdings.at(Stage.WAITING);
  }

  /** Says that there may be work. */
  public void wakeUp() {
    wakeups.raise();
  }

  /** What it has done, and what it holds. */
  public Counts counts() {
    return tally.with(holdings);
  }

  Tally tally() {
    return tally;
  }

  /** Raised when there may be work. */
  Signal wakeups() {
    return wakeups;
  }

  /** Raised when there is much to claim, and each time that there is room for it. */
  Signal backlog() {
    return backlog;
  }

  /** Raised when something has left this engine's hands. */
  Signal room() {
    return room;
  }

  Holdings holdings() {
    return holdings;
  }

  Ahead ahead() {
    return ahead;
  }

  Recorder recorder() {
    return recorder;
  }

  Dispatcher<W> dispatcher() {
    return dispatcher;
  }
}

package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Outcome.Bury;
import dev.fencedoutbox.engine.Outcome.Done;
import dev.fencedoutbox.engine.Outcome.Retry;
import dev.fencedoutbox.engine.Outcome.Settled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls handlers and passes on what they answer. Holds no connection. Thread-safe. */
final class Deliverer<W extends Work> {

  private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);

  private final Trade<W> trade;
  private final Terms terms;
  private final Recorder recorder;
  private final LongSupplier nanoClock;
  private volatile boolean stopping;
  private final Set<String> unhandled = ConcurrentHashMap.newKeySet();

  Deliverer(Trade<W> trade, Terms terms, Recorder recorder, LongSupplier nanoClock) {
    this.trade = trade;
    this.terms = terms;
    this.recorder = recorder;
    this.nanoClock = nanoClock;
  }

  /** Nothing more is begun; what is not goes back. */
  void stop() {
    stopping = true;
  }

  /**
   * Works through one run, or through several that one handler takes as a batch. Whatever is thrown
   * on the way, all of it is handed over when this returns.
   */
  void deliver(List<Run<W>> runs) {
    try {
      deliverEach(runs);
    } finally {
      runs.forEach(this::leaveNothing);
    }
  }

  /**
   * One that a handler here has still not returned from, though its lease is over, must not take a
   * second worker of this relay: this attempt has failed before it began.
   */
  void refuseStuck(Run<W> run, Set<Long> stuckRows) {
    for (W work : run.works()) {
      if (stuckRows.contains(work.lease().key())) {
        LOG.warn(
            "Claimed {}, and its handler has not returned here from an earlier attempt, so it is not"
                + " called again. Others may handle it, or its attempts are used up.",
            work);
        recorder.handBack(
            work, again(work, new Retry(Optional.empty(), "Its handler has not returned.")));
        recorder.handBackAfter(work);
      }
    }
  }

  /** Nothing is left, unless something other than a handler has failed in here. */
  private void leaveNothing(Run<W> run) {
    for (W work : run.works()) {
      if (!work.isHandedOver()) {
        run.abortAt(work);
        recorder.add(
            work, again(work, new Retry(Optional.empty(), "What calls its handler failed.")));
      }
    }
  }

  private void deliverEach(List<Run<W>> runs) {
    if (runs.size() > 1) {
      WorkHandler<W> handler = Objects.requireNonNull(trade.handlerOf(runs.get(0).works().get(0)));
      call(handler, runs.stream().flatMap(run -> run.works().stream()).toList());
    } else {
      List<W> left = runs.get(0).works();
      while (!left.isEmpty()) {
        int size = segment(left);
        deliverSegment(left.subList(0, size));
        left = left.subList(size, left.size());
      }
    }
  }

  /** How many from the first on go to its handler by one call. */
  private int segment(List<W> works) {
    WorkHandler<W> handler = trade.handlerOf(works.get(0));
    if (handler == null) {
      return 1;
    }
    int size = 1;
    while (size < Math.min(handler.mostAtOnce(), works.size())
        && handler.equals(trade.handlerOf(works.get(size)))) {
      size++;
    }
    return size;
  }

  private void deliverSegment(List<W> works) {
    WorkHandler<W> handler = trade.handlerOf(works.get(0));
    if (handler == null) {
      putOff(works.get(0));
    } else {
      call(handler, works);
    }
  }

  private void putOff(W work) {
    String subject = trade.subjectOf(work);
    if (unhandled.add(subject)) {
      LOG.warn(
          "Nothing here handles {}: it is put off by {} each time, its attempt given back. Run a relay"
              + " or runner that does, or add a handler here.",
          subject,
          terms.unhandledPause());
    }
    recorder.handBack(
        work,
        work.run().isAbortedBefore(work)
            ? new Verdict.Back()
            : new Verdict.Later(terms.unhandledPause()));
    work.run().abortAt(work);
  }

  private void call(WorkHandler<W> handler, List<W> works) {
    List<W> begun = new ArrayList<>();
    Call call = new Call(nanoClock.getAsLong());
    for (W work : works) {
      boolean due = !stopping && !work.run().isAbortedBefore(work) && isWithinBudget(work);
      if (due && work.begin(call)) {
        begun.add(work);
      } else {
        surrender(work);
      }
    }
    if (begun.isEmpty()) {
      return;
    }
    call.seal();
    List<Outcome> outcomes = outcomes(handler, begun);
    call.end();
    // All are answered at once: a failed one must not take the leases of those after it
    List<Boolean> held = begun.stream().map(Work::answer).toList();
    for (int i = 0; i < begun.size(); i++) {
      answer(begun.get(i), held.get(i), outcomes.get(i));
    }
  }

  /** A topic's own budget may be smaller than the one that the claim went by. */
  private boolean isWithinBudget(W work) {
    return work.number() <= trade.budgetOf(work);
  }

  /** Not begun: given up if its attempts are spent, else handed back. */
  private void surrender(W work) {
    if (isWithinBudget(work)) {
      recorder.handBack(work, new Verdict.Back());
    } else {
      recorder.handBack(work, new Verdict.Dead(spent(work)));
    }
    work.run().abortAt(work);
  }

  private String spent(W work) {
    return "The attempt budget of %d of %s is used up."
        .formatted(trade.budgetOf(work), trade.subjectOf(work));
  }

  private List<Outcome> outcomes(WorkHandler<W> handler, List<W> works) {
    try {
      List<Outcome> outcomes = handler.handle(List.copyOf(works));
      if (outcomes.size() != works.size()) {
        throw new IllegalStateException(
            "%d outcomes came for %d works.".formatted(outcomes.size(), works.size()));
      }
      return outcomes;
    } catch (Throwable e) {
      // Whatever a handler throws, an Error as well, is one failed attempt; the relay goes on
      String error = Errors.text(e);
      tell(works, e, error);
      return Collections.nCopies(works.size(), new Retry(Optional.empty(), error));
    }
  }

  private static void tell(List<? extends Work> works, Throwable thrown, String error) {
    try {
      LOG.warn("The handler failed at {}; it is tried again.", works, thrown);
    } catch (RuntimeException | Error e) {
      LOG.warn("The handler failed at {}; it is tried again. {}", works, error);
    }
  }

  private void answer(W work, boolean held, Outcome outcome) {
    if (!held) {
      recorder.drop(work);
      work.run().abortAt(work);
    } else if (work.run().isAbortedBefore(work)) {
      // an earlier one of its key failed
      recorder.add(work, outcome instanceof Done ? new Verdict.Undone() : new Verdict.Back());
    } else {
      record(work, outcome);
    }
  }

  private void record(W work, Outcome outcome) {
    if (outcome instanceof Done done) {
      recorder.add(work, new Verdict.Complete(done.result()));
    } else if (outcome instanceof Settled) {
      recorder.settled(work);
    } else if (outcome instanceof Retry retry) {
      recorder.add(work, again(work, retry));
      work.run().abortAt(work);
    } else if (outcome instanceof Outcome.Release) {
      recorder.add(work, new Verdict.Back());
      work.run().abortAt(work);
    } else if (outcome instanceof Bury bury) {
      recorder.add(work, new Verdict.Dead(bury.reason()));
      if (trade.deadBlocks()) {
        work.run().abortAt(work);
      }
    }
  }

  private Verdict again(W work, Retry retry) {
    if (work.number() >= trade.budgetOf(work)) {
      return new Verdict.Dead(spent(work) + " Last error: " + retry.reason());
    }
    return new Verdict.Again(
        retry.after().orElseGet(() -> terms.backoff().apply(work.number())), retry.reason());
  }
}

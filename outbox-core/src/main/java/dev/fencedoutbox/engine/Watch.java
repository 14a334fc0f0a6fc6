package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops, by the local clock alone, what cannot be trusted any more: it touches no database, so it
 * works when that does not. For one thread.
 */
final class Watch {

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Terms terms;
  private final Holdings holdings;
  private final Dispatcher<?> dispatcher;
  private final Recorder recorder;
  private final Ahead ahead;
  private final Tally tally;
  private final LongSupplier nanoClock;

  Watch(Engine.Parts<?> parts, Engine<?> engine) {
    this.terms = parts.terms();
    this.nanoClock = parts.nanoClock();
    this.holdings = engine.holdings();
    this.dispatcher = engine.dispatcher();
    this.recorder = engine.recorder();
    this.ahead = engine.ahead();
    this.tally = engine.tally();
  }

  void look() {
    long now = nanoClock.getAsLong();
    holdings.at(Stage.RUNNING).forEach(work -> lookAtRunning(work, now));
    handBackTail(now);
  }

  private void lookAtRunning(Work work, long now) {
    if (!work.isOver() && !work.isTrusted(now) && work.lose()) {
      tally.lost.increment();
      LOG.error(
          "Could not renew the lease on {} in time: {} of {} are left. Its handler was interrupted"
              + " and nothing of it is recorded. Another may claim it when the lease is over."
              + " No action is needed unless this repeats.",
          work,
          work.lease().trustLeft(now),
          work.lease().leaseFor());
    }
    Duration running = work.runningFor(now);
    Call call = work.call();
    if (call != null && running.compareTo(terms.longestHandling()) > 0) {
      if (call.interruptOnce()) {
        LOG.error(
            "The handler of {} has been at work for {}, longer than {}. It was interrupted and its"
                + " lease is renewed no more. If it does not return, its worker is lost.",
            work,
            running,
            terms.longestHandling());
      }
      recorder.handBackAfter(work);
    } else if (work.isLost()) {
      recorder.handBackAfter(work);
    }
  }

  /** What was not begun within one lease, others may have. */
  private void handBackTail(long now) {
    Duration lease = terms.leaseFor();
    int tail =
        dispatcher.takeOut(
            run ->
                run.works().stream()
                    .anyMatch(
                        work -> work.inHandFor(now).compareTo(lease) >= 0 || !work.isTrusted(now)),
            work -> recorder.handBack(work, new Verdict.Back()));
    if (tail > 0) {
      ahead.waitedInVain();
    }
  }
}

package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import java.util.concurrent.atomic.LongAdder;

/** What an engine counts. Thread-safe. */
final class Tally {

  final LongAdder claimed = new LongAdder();
  final LongAdder reclaimed = new LongAdder();
  final LongAdder done = new LongAdder();
  final LongAdder settled = new LongAdder();
  final LongAdder retried = new LongAdder();
  final LongAdder released = new LongAdder();
  final LongAdder buried = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder lost = new LongAdder();
  final LongAdder abandoned = new LongAdder();
  final LongAdder failedTransactions = new LongAdder();

  void claimed(Step step) {
    claimed.add(step.found());
    reclaimed.add(step.reclaimed());
    buried.add(step.buried());
  }

  Counts with(Holdings holdings) {
    return new Counts(
        claimed.sum(),
        reclaimed.sum(),
        done.sum(),
        settled.sum(),
        retried.sum(),
        released.sum(),
        buried.sum(),
        refused.sum(),
        lost.sum(),
        abandoned.sum(),
        failedTransactions.sum(),
        holdings.count(Stage.WAITING),
        holdings.count(Stage.RUNNING),
        holdings.count(Stage.ANSWERED, Stage.WRITING));
  }
}

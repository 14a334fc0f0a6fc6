package dev.fencedoutbox.relay;

import dev.fencedoutbox.relay.Work.Stage;
import java.util.concurrent.atomic.LongAdder;

/** What the relay counts. Thread-safe. */
final class Tally {

  final LongAdder claimed = new LongAdder();
  final LongAdder reclaimed = new LongAdder();
  final LongAdder delivered = new LongAdder();
  final LongAdder retried = new LongAdder();
  final LongAdder released = new LongAdder();
  final LongAdder buried = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder lost = new LongAdder();
  final LongAdder abandoned = new LongAdder();
  final LongAdder failedTransactions = new LongAdder();

  RelayCounters with(Holdings holdings) {
    return new RelayCounters(
        claimed.sum(),
        reclaimed.sum(),
        delivered.sum(),
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

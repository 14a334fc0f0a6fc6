package dev.fencedoutbox.engine;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch, and finds by halves what of it fails by itself, so that one row that cannot be
 * written does not hold up the others. What that may cost is bounded: past that, nothing is halved
 * any more, for this time, and what was halved before is tried once more. An outage ends it at
 * once.
 */
final class Narrowing<T> {

  /** One attempt at a batch; null if it succeeded. */
  interface Write<T> {
    @Nullable Fault attempt(List<T> batch);
  }

  /** Enough for two culprits among 1,000. */
  static final int OF_A_BATCH = 24;

  /** For what is tried one by one, since it has failed before. */
  static final int OF_SINGLES = 6;

  private final Write<T> write;
  private final BiConsumer<List<T>, Fault> failed;
  private int failuresLeft;
  private boolean outage;

  Narrowing(int failures, Write<T> write, BiConsumer<List<T>, Fault> failed) {
    this.failuresLeft = failures;
    this.write = write;
    this.failed = failed;
  }

  void run(List<T> batch) {
    if (batch.isEmpty() || outage) {
      return;
    }
    @Nullable Fault fault = write.attempt(batch);
    if (fault == null) {
      return;
    }
    failuresLeft -= fault.cost();
    outage |= !fault.mayBeOfOneRow();
    if (batch.size() > 1 && fault.mayBeOfOneRow() && !isExhausted()) {
      run(batch.subList(0, batch.size() / 2));
      run(batch.subList(batch.size() / 2, batch.size()));
    } else {
      failed.accept(batch, fault);
    }
  }

  /** Whether so much has failed that it is enough for this time. */
  boolean isExhausted() {
    return outage || failuresLeft <= 0;
  }
}

package dev.fencedoutbox.engine;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch, and finds by halves what of it fails by itself, so that one row that cannot be
 * written does not hold up the others. What it may cost is bounded: past that, what is left fails
 * as it is, for this time.
 */
final class Narrowing<T> {

  /** One attempt at a batch; null if it succeeded. */
  interface Write<T> {
    @Nullable Fault attempt(List<T> batch);
  }

  /** Enough for two culprits among 1,000. */
  private static final int MOST_FAILURES = 24;

  private final Write<T> write;
  private final BiConsumer<List<T>, Fault> failed;
  private int failuresLeft = MOST_FAILURES;

  Narrowing(Write<T> write, BiConsumer<List<T>, Fault> failed) {
    this.write = write;
    this.failed = failed;
  }

  void run(List<T> batch) {
    if (batch.isEmpty()) {
      return;
    }
    @Nullable Fault fault = write.attempt(batch);
    if (fault == null) {
      return;
    }
    failuresLeft -= fault.kind() == Fault.Kind.LOCKED ? 2 : 1; // it has waited as well
    if (batch.size() > 1 && fault.mayBeOfOneRow() && !isExhausted()) {
      run(batch.subList(0, batch.size() / 2));
      run(batch.subList(batch.size() / 2, batch.size()));
    } else {
      failed.accept(batch, fault);
    }
  }

  /** Whether so much has failed that the rows are hardly to blame. */
  boolean isExhausted() {
    return failuresLeft <= 0;
  }
}

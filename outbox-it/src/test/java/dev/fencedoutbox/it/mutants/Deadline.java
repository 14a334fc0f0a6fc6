package dev.fencedoutbox.it.mutants;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Until when a test may send statements: afterwards each fails, so that one which goes on for ever
 * under a mutant, and heeds no interrupt, comes to its end all the same. Thread-safe.
 */
final class Deadline {

  /** No exception, which somebody might take for the database's answer and try again. */
  static final class Passed extends Error {
    private static final long serialVersionUID = 1;

    Passed() {
      super("the test has had its time");
    }
  }

  private record Limit(long startedNanos, long nanos) {}

  private volatile @Nullable Limit limit;
  private volatile boolean passed;

  /** From now on, until {@link #end}. */
  void start(Duration time) {
    passed = false;
    limit = new Limit(System.nanoTime(), time.toNanos());
  }

  /** Whether it has passed and a statement has failed. */
  boolean end() {
    limit = null;
    return passed;
  }

  /** Before a statement. */
  void check() {
    @Nullable Limit now = limit;
    if (now != null && System.nanoTime() - now.startedNanos() > now.nanos()) {
      passed = true;
      throw new Passed();
    }
  }
}

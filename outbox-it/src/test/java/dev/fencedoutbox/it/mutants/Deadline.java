package dev.fencedoutbox.it.mutants;

import java.time.Duration;

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

  private static final Limit NONE = new Limit(0, Long.MAX_VALUE);

  private volatile Limit limit = NONE;
  private volatile boolean passed;

  /** From now on, until {@link #end}. */
  void start(Duration time) {
    passed = false;
    limit = new Limit(System.nanoTime(), time.toNanos());
  }

  /** Whether it has passed and a statement has failed. */
  boolean end() {
    limit = NONE;
    return passed;
  }

  /** Before a statement. */
  void check() {
    Limit now = limit;
    if (now != NONE && System.nanoTime() - now.startedNanos() > now.nanos()) {
      passed = true;
      throw new Passed();
    }
  }
}

package dev.fencedoutbox.it.model;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How much is tried. Usually little, with other seeds in each run; {@code -Dmodel.seconds=N} lets
 * each of the random tests go on for that long, {@code -Dmodel.depth=N} has all sequences of that
 * depth tried, {@code -Dmodel.seed=N} repeats one random sequence.
 */
final class Effort {

  private Effort() {}

  /** The seed of a run's first sequence; each of the others has the next number. */
  static long seed() {
    return Long.getLong("model.seed", ThreadLocalRandom.current().nextInt(1_000_000_000));
  }

  /** Whether to try another one. */
  static boolean goesOn(int done, int usually, Duration spent) {
    if (System.getProperty("model.seed") != null) {
      return done < 1;
    }
    return done < usually || spent.toSeconds() < Integer.getInteger("model.seconds", 0);
  }

  static int depth(int usually) {
    return Integer.getInteger("model.depth", usually);
  }

  /** For whoever reads the build's output. */
  static void report(String what) {
    System.out.println("model: " + what);
  }
}

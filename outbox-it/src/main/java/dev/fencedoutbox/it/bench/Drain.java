package dev.fencedoutbox.it.bench;

/**
 * What it took to drain.
 *
 * @param cpuNanos of this process, the compiler and the garbage collector included
 * @param compilerNanos of Java's compiler, beside whatever else ran
 */
record Drain(
    int messages, long nanos, long walBytes, long commits, long cpuNanos, long compilerNanos) {

  /** The share of the time in which a compiler at work counts as warming up. */
  private static final int COMPILING = 10;

  double perSecond() {
    return messages * 1e9 / nanos;
  }

  double walBytesEach() {
    return (double) walBytes / messages;
  }

  double commitsEach() {
    return (double) commits / messages;
  }

  /** Whether Java's compiler had little left to do. */
  boolean isWarm() {
    return isWarm(compilerNanos, nanos);
  }

  static boolean isWarm(long compilerNanos, long nanos) {
    return compilerNanos < nanos / COMPILING;
  }

  double compilerMicrosEach() {
    return compilerNanos / 1e3 / messages;
  }

  double cpuMicrosEach() {
    return cpuNanos / 1e3 / messages;
  }
}

package dev.fencedoutbox.it.bench;

/**
 * What it took to drain.
 *
 * @param cpuNanos of this process, the compiler and the garbage collector included
 */
record Drain(int messages, long nanos, long walBytes, long commits, long cpuNanos) {

  double perSecond() {
    return messages * 1e9 / nanos;
  }

  double walBytesEach() {
    return (double) walBytes / messages;
  }

  double commitsEach() {
    return (double) commits / messages;
  }

  double cpuMicrosEach() {
    return cpuNanos / 1e3 / messages;
  }
}

package dev.fencedoutbox.engine;

/**
 * How much is claimed ahead of the handlers: more each time they run dry while there was more to
 * claim, half as much when something waited for a whole lease in vain. Thread-safe.
 */
final class Ahead {

  private final int concurrency;
  private final int most;
  private int ahead;

  Ahead(int concurrency, int most) {
    this.concurrency = concurrency;
    this.most = most;
    this.ahead = Math.min(concurrency, most);
  }

  synchronized int capacity() {
    return concurrency + ahead;
  }

  synchronized void ranDry() {
    ahead = Math.min(most, Math.max(1, ahead * 2));
  }

  synchronized void waitedInVain() {
    ahead = ahead / 2;
  }
}

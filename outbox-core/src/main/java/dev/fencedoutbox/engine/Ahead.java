package dev.fencedoutbox.engine;

import java.util.function.IntSupplier;

/**
 * How much is claimed ahead of the handlers: more each time they run dry while there was more to
 * claim, half as much when something waited for a whole lease in vain. Thread-safe.
 */
final class Ahead {

  private final int concurrency;
  private final int most;
  private int ahead;
  private int reserved;

  Ahead(int concurrency, int most) {
    this.concurrency = concurrency;
    this.most = most;
    this.ahead = Math.min(concurrency, most);
  }

  synchronized int capacity() {
    return concurrency + ahead;
  }

  /** How many more than {@code held} fit, less what claims under way may bring. */
  synchronized int free(int held) {
    return capacity() - held - reserved;
  }

  /**
   * Sets room aside for a claim.
   *
   * @param held asked while no other claim can end
   * @param least what it takes to be worth it
   * @return how many it may bring: {@code least} to {@code most}, or 0
   */
  synchronized int reserve(IntSupplier held, int least, int most) {
    int room = Math.min(most, free(held.getAsInt()));
    if (room < least) {
      return 0;
    }
    reserved += room;
    return room;
  }

  /** That claim is over. */
  synchronized void giveBack(int room) {
    reserved -= room;
  }

  synchronized void ranDry() {
    ahead = Math.min(most, Math.max(1, ahead * 2));
  }

  synchronized void waitedInVain() {
    ahead = ahead / 2;
  }
}

package dev.fencedoutbox.it.bench;

/** Somebody who drains a backlog. */
interface Contender {

  /** In tables and plots. */
  String name();

  /** Fills its tables with the backlog and nothing else. */
  void fill(Backlog backlog);

  /**
   * Claims, reads and completes messages until {@code messages} are completed, or a few more.
   *
   * @return how long that took
   */
  long drainNanos(int messages) throws Exception;
}

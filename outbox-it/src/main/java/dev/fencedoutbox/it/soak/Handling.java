package dev.fencedoutbox.it.soak;

/**
 * What a handler wrote down, at a time of the database's clock in microseconds.
 *
 * @param reclaimed what the relay told it
 */
record Handling(
    long at,
    What what,
    String process,
    String eventId,
    long delivery,
    long epoch,
    boolean reclaimed) {

  enum What {
    BEGUN,
    DELIVERED,
    FAILED
  }
}

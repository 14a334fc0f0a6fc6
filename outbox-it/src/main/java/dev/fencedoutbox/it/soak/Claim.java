package dev.fencedoutbox.it.soak;

/**
 * One claim of a delivery and what became of it. Times are microseconds of the database's clock.
 *
 * @param extended the last renewal; {@code from} if there was none
 * @param until the end of its lease, the renewals included
 * @param endedAt when that was written; {@code until} if it ran out
 * @param endTx the transaction that ended it; 0 if it ran out
 * @param stolen it was taken while the one before it still held
 * @param afterExpiry the one before it ran out
 */
record Claim(
    long delivery,
    String eventId,
    long epoch,
    String owner,
    long from,
    long extended,
    long until,
    End end,
    long endedAt,
    long endTx,
    boolean stolen,
    boolean afterExpiry) {

  enum End {
    COMPLETED,
    RETRIED,
    RELEASED,
    BURIED,
    RAN_OUT
  }

  /** Until when its owner held the delivery. */
  long heldUntil() {
    return Math.min(until, endedAt);
  }
}

package dev.fencedoutbox.it.soak;

/**
 * One call of a handler. Times are microseconds of the database's clock.
 *
 * @param ended {@link #NEVER} if it was not heard of again
 * @param delivered whether it said so
 */
record Call(
    String process,
    String eventId,
    long delivery,
    long epoch,
    boolean reclaimed,
    long begun,
    long ended,
    boolean delivered) {

  static final long NEVER = Long.MAX_VALUE;

  static Call begunBy(Handling first) {
    return new Call(
        first.process(),
        first.eventId(),
        first.delivery(),
        first.epoch(),
        first.reclaimed(),
        first.at(),
        NEVER,
        false);
  }

  Call endedBy(Handling last) {
    return new Call(
        process,
        eventId,
        delivery,
        epoch,
        reclaimed,
        begun,
        last.at(),
        last.what() == Handling.What.DELIVERED);
  }

  @Override
  public String toString() {
    return "%s (delivery %d, epoch %d) at %s".formatted(eventId, delivery, epoch, process);
  }
}

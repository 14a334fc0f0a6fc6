package dev.fencedoutbox.it.soak;

import org.jspecify.annotations.Nullable;

/**
 * A change of a delivery's row, as a trigger noted it. Times are microseconds of the database's
 * clock.
 *
 * @param leaseUntil null if nobody holds it
 * @param tx the transaction
 */
record LeaseChange(
    long at,
    Operation operation,
    long delivery,
    String eventId,
    long epoch,
    Status status,
    int attempts,
    @Nullable Long leaseUntil,
    @Nullable String owner,
    long tx) {

  enum Operation {
    INSERT,
    UPDATE,
    DELETE
  }

  enum Status {
    READY,
    INPROGRESS,
    DEAD
  }
}

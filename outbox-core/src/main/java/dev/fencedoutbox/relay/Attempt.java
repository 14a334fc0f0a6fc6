package dev.fencedoutbox.relay;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.outbox.Delivery;
import java.time.Duration;

/**
 * One attempt at a delivery, as its handler sees it.
 *
 * <p>Thread-safe.
 */
public interface Attempt {

  /** The message and its headers. */
  Delivery delivery();

  /** The lease as it stands, for a fenced effect. */
  Lease<Long> lease();

  /** Which attempt this is, 1 for the first. */
  int number();

  /**
   * Whether an earlier attempt ended by an expired lease, so that what it did outside this database
   * may be done twice.
   */
  boolean reclaimed();

  /** Whether to go on: false once the lease is lost, by the local clock or by the database. */
  boolean isHeld();

  /** How long the lease can be trusted unless it is renewed; zero once it cannot. */
  Duration trustLeft();

  /** The event's identity, the same on every attempt and channel. */
  default String eventId() {
    return delivery().eventId();
  }
}

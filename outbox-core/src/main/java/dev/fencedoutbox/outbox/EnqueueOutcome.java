package dev.fencedoutbox.outbox;

/**
 * Whether an enqueue stored the message.
 *
 * <p>Source: article 001, <i>Enqueue: idempotent by construction</i>.
 */
public enum EnqueueOutcome {
  /** The message and its deliveries are part of the caller's transaction. */
  CREATED,
  /** A message with this event id was there already; nothing was stored. */
  DUPLICATE
}

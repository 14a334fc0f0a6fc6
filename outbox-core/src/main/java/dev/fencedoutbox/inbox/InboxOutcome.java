package dev.fencedoutbox.inbox;

/** Whether an event was applied. */
public enum InboxOutcome {
  /** The event was new, and its effect is part of the caller's transaction. */
  APPLIED,
  /** The consumer has applied this event before; the effect was not run. */
  DUPLICATE
}

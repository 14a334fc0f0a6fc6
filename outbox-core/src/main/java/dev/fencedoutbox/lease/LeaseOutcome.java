package dev.fencedoutbox.lease;

/**
 * What became of a write under a lease. Everything but {@link #ACCEPTED} is final and nothing was
 * written: the holder must stop, and must not follow with an unconditional write.
 *
 * <p>The write itself decides; the reason of a refusal is read afterwards, for people and counters.
 *
 * <p>Source: articles 000 (<i>an empty returned result means the ownership condition was not
 * satisfied</i>) and 001 (<i>the zombie guard</i>).
 */
public enum LeaseOutcome {
  /** The lease held and the write is part of the caller's transaction. */
  ACCEPTED,
  /** Somebody has claimed the row since: its epoch is higher. */
  SUPERSEDED,
  /** Nobody has claimed it since, but the deadline has passed. */
  EXPIRED,
  /** This very claim is over: completed, retried, released or buried before, or cancelled. */
  SETTLED,
  /** The row is not there any more. */
  GONE;

  /** Whether the write took place. */
  public boolean accepted() {
    return this == ACCEPTED;
  }
}

package dev.fencedoutbox.operate;

/** What became of the wish to deliver a message once more. */
public enum ReplayOutcome {
  /** There is a new delivery of it. */
  REPLAYED,
  /** A delivery of it on this channel is not done yet; DEAD ones are redriven. */
  UNDELIVERED,
  /** It has no receipt of this channel: it was not delivered there, or receipts are not kept. */
  NOT_SENT,
  /** There is no message of that event id, or retention has removed it. */
  UNKNOWN
}

package dev.fencedoutbox.job;

/** What became of the wish to cancel a job. */
public enum CancelOutcome {
  /** The job is CANCELLED; who was working on it will be refused. */
  CANCELLED,
  /** It is over: it was finished or cancelled before. Nothing was written. */
  ENDED,
  /** There is no such job. */
  ABSENT
}

package dev.fencedoutbox.job;

/** What became of the wish to redrive a job. */
public enum RedriveOutcome {
  /** The job is READY again. */
  REDRIVEN,
  /** It is not DEAD. Nothing was written. */
  NOT_DEAD,
  /** There is no such job. */
  ABSENT
}

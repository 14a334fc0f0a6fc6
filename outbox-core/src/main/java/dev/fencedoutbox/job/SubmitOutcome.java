package dev.fencedoutbox.job;

/** Whether a job was stored. */
public enum SubmitOutcome {
  /** The job is part of the caller's transaction. */
  CREATED,
  /** A job of this kind and key was there already, in whatever state; nothing was stored. */
  DUPLICATE
}

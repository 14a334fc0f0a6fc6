package dev.fencedoutbox.job;

/**
 * The job that a submission is about, be it this one's or an earlier one's.
 *
 * <p>Immutable and thread-safe.
 *
 * @param id the job
 * @param key its key
 * @param outcome whether this submission created it
 */
public record Submitted(long id, String key, SubmitOutcome outcome) {}

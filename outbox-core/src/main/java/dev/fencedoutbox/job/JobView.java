package dev.fencedoutbox.job;

import static dev.fencedoutbox.schema.Tables.JOB;

import dev.fencedoutbox.schema.enums.JobStatus;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stood when its row was read; what a claim hands out, what its submitter looks at.
 *
 * <p>Input, checkpoint and result are converted when they are asked for, so one that cannot be read
 * spoils nothing but its own job; what a converter throws passes through.
 *
 * <p>Immutable, and thread-safe if the kind's converters are.
 *
 * @param <I> the type of the input
 * @param <C> the type of the checkpoints
 * @param <R> the type of the result
 */
public final class JobView<I, C, R> {

  static final List<Field<?>> FIELDS =
      List.of(
          JOB.ID,
          JOB.EPOCH,
          JOB.NEXT_ATTEMPT_AT,
          JOB.SUBMITTED_AT,
          JOB.LEASE_UNTIL,
          JOB.ENDED_AT,
          JOB.STATUS,
          JOB.ATTEMPTS,
          JOB.KIND,
          JOB.JOB_KEY,
          JOB.LEASE_OWNER,
          JOB.LAST_ERROR,
          JOB.CANCEL_REASON,
          JOB.INPUT,
          JOB.CHECKPOINT,
          JOB.RESULT);

  private final JobKind<I, C, R> kind;
  private final Record row;

  JobView(JobKind<I, C, R> kind, Record row) {
    this.kind = kind;
    this.row = row;
  }

  /** The job's identity. */
  public long id() {
    return row.get(JOB.ID);
  }

  /** The submitter's name of it. */
  public String key() {
    return row.get(JOB.JOB_KEY);
  }

  /** Where it stands. */
  public JobStatus status() {
    return row.get(JOB.STATUS);
  }

  /**
   * Whether nobody will work on it, or not before somebody redrives it: DONE, CANCELLED or DEAD. No
   * {@code default}: whoever adds a status says here what it means to those who wait.
   */
  public boolean isOver() {
    return switch (status()) {
      case READY, INPROGRESS -> false;
      case DONE, DEAD, CANCELLED -> true;
    };
  }

  /**
   * What the submitter gave.
   *
   * @throws IllegalArgumentException if it converts to null
   */
  public I input() {
    @Nullable I input = kind.readInput(row.get(JOB.INPUT));
    if (input == null) {
      throw new IllegalArgumentException("The input of %s converts to null.".formatted(this));
    }
    return input;
  }

  /** The last accepted checkpoint, from which to go on; empty if there is none. */
  public Optional<C> checkpoint() {
    return Optional.ofNullable(kind.readCheckpoint(row.get(JOB.CHECKPOINT)));
  }

  /** What came of it; empty if it is not DONE or was finished without a result. */
  public Optional<R> result() {
    return Optional.ofNullable(kind.readResult(row.get(JOB.RESULT)));
  }

  /** The number of its latest claim, 0 before the first. */
  public long epoch() {
    return row.get(JOB.EPOCH);
  }

  /** The attempts counted so far, the one in progress included. */
  public int attempts() {
    return row.get(JOB.ATTEMPTS);
  }

  /** What the last failed attempt reported. */
  public Optional<String> lastError() {
    return Optional.ofNullable(row.get(JOB.LAST_ERROR));
  }

  /** Why it was cancelled; empty if it was not. */
  public Optional<String> cancelReason() {
    return Optional.ofNullable(row.get(JOB.CANCEL_REASON));
  }

  /** Who holds the lease, for people to read; empty if nobody does. */
  public Optional<String> leaseOwner() {
    return Optional.ofNullable(row.get(JOB.LEASE_OWNER));
  }

  /** The deadline of the lease, by the database's clock; empty if nobody holds one. */
  public Optional<OffsetDateTime> leaseUntil() {
    return Optional.ofNullable(row.get(JOB.LEASE_UNTIL));
  }

  /** When it was submitted, by the database's clock. */
  public OffsetDateTime submittedAt() {
    return row.get(JOB.SUBMITTED_AT);
  }

  /** When it is, or became, due, by the database's clock; empty if it is over. */
  public Optional<OffsetDateTime> dueAt() {
    return isOver() ? Optional.empty() : Optional.of(row.get(JOB.NEXT_ATTEMPT_AT));
  }

  /** When it was finished or cancelled, by the database's clock; empty if it was not. */
  public Optional<OffsetDateTime> endedAt() {
    return Optional.ofNullable(row.get(JOB.ENDED_AT));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JobView<?, ?, ?> that && row.equals(that.row);
  }

  @Override
  public int hashCode() {
    return row.hashCode();
  }

  /** Without input, checkpoint and result. */
  @Override
  public String toString() {
    return "job %d, %s of kind %s, %s".formatted(id(), key(), row.get(JOB.KIND), status());
  }
}

package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a job, as its handler sees it. What it writes is written under the lease as it
 * stands, on the context that it is given, and refused once the lease is lost.
 *
 * <p>Thread-safe.
 *
 * @param <I> the type of the input
 * @param <C> the type of the checkpoints
 * @param <R> the type of the result
 */
@CheckReturnValue
public final class RunningJob<I, C, R> {

  private final JobWork work;
  private final Jobs<I, C, R> jobs;
  private final JobView<I, C, R> view;

  RunningJob(JobWork work, Jobs<I, C, R> jobs, JobView<I, C, R> view) {
    this.work = work;
    this.jobs = jobs;
    this.view = view;
  }

  /** What the submitter gave. */
  public I input() {
    return view.input();
  }

  /** How far an earlier attempt came; empty: begin at the beginning. */
  public Optional<C> checkpoint() {
    return view.checkpoint();
  }

  /** The job's own identity. */
  public long id() {
    return view.id();
  }

  /** The job's name among those of its kind. */
  public String key() {
    return view.key();
  }

  /** Which attempt this is, 1 for the first. */
  public int number() {
    return work.number();
  }

  /**
   * Whether an earlier attempt ended by an expired lease, so that what it did outside this database
   * may be done twice.
   */
  public boolean reclaimed() {
    return work.reclaimed();
  }

  /** Whether to go on: false once the lease is lost or the job cancelled, as far as is known. */
  public boolean isHeld() {
    return work.isHeld();
  }

  /** How long the lease can be trusted unless it is renewed; zero once it cannot. */
  public Duration trustLeft() {
    return work.trustLeft();
  }

  /** The lease as it stands. */
  public Lease<Long> lease() {
    return work.lease();
  }

  /** As {@link Jobs#checkpoint}: once it is refused, stop. */
  public LeaseOutcome checkpoint(DSLContext dsl, C reached) {
    return jobs.checkpoint(dsl, lease(), reached);
  }

  /**
   * As {@link Jobs#finish(DSLContext, Lease, Object, Effect)}; return {@link JobOutcome#settled()}
   * when it is committed. After a rollback the runner does not tell a cancellation from it.
   */
  public EffectOutcome finish(DSLContext dsl, @Nullable R result, Effect<Long> effect) {
    return finishing(() -> jobs.finish(dsl, lease(), result, effect));
  }

  /**
   * As {@link Jobs#finish(DSLContext, Lease, Object, DeliveryIntent)}; return {@link
   * JobOutcome#settled()} when it is committed.
   */
  public EffectOutcome finish(DSLContext tx, @Nullable R result, DeliveryIntent intent) {
    return finishing(() -> jobs.finish(tx, lease(), result, intent));
  }

  private EffectOutcome finishing(Supplier<EffectOutcome> finish) {
    EffectOutcome outcome = EffectOutcome.FENCED;
    work.settling();
    try {
      outcome = finish.get();
      return outcome;
    } finally {
      if (outcome == EffectOutcome.FENCED) {
        work.notSettled();
      }
    }
  }

  @Override
  public String toString() {
    return work.toString();
  }
}

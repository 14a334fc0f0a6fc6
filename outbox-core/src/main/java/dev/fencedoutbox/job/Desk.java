package dev.fencedoutbox.job;

import dev.fencedoutbox.engine.Answer;
import dev.fencedoutbox.engine.Outcome;
import dev.fencedoutbox.engine.Verdict;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** Where the jobs of one kind are claimed, done and finished. */
final class Desk<I, C, R> {

  private final Jobs<I, C, R> jobs;
  private final JobHandler<I, C, R> handler;

  Desk(Jobs<I, C, R> jobs, JobHandler<I, C, R> handler) {
    this.jobs = jobs;
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  String kind() {
    return jobs.kind().name();
  }

  /** Claims up to {@code limit}. */
  Brought claim(DSLContext tx, Leases leases, ClaimTerms terms, int limit) {
    Claims<Long, JobView<I, C, R>> claims = leases.claim(tx, jobs.table(), terms, limit);
    return new Brought(
        clock ->
            claims.claimed().stream()
                .map(one -> new JobWork(this, one, work -> handle(work, one.row()), clock))
                .toList(),
        claims.claimed().size(),
        claims.buried().size());
  }

  /**
   * What a claim brought.
   *
   * @param works made when the claim is committed
   */
  record Brought(Function<LongSupplier, List<JobWork>> works, int claimed, int buried) {}

  private Outcome handle(JobWork work, JobView<I, C, R> view) throws Exception {
    JobOutcome<R> said = handler.run(new RunningJob<>(work, jobs, view));
    if (said == null) {
      throw new IllegalStateException(
          "The handler of kind %s returned null. The job is tried again. Return a JobOutcome."
              .formatted(kind()));
    } else if (said instanceof JobOutcome.Done<R> done) {
      return new Outcome.Done(jobs.kind().written(done.result()));
    } else if (said instanceof JobOutcome.Retry<R> retry) {
      return new Outcome.Retry(retry.after(), retry.reason());
    } else if (said instanceof JobOutcome.Release<R>) {
      return new Outcome.Release();
    } else if (said instanceof JobOutcome.Bury<R> bury) {
      return new Outcome.Bury(bury.reason());
    }
    return new Outcome.Settled();
  }

  /** Finishes jobs of this kind; outcomes in their order. */
  List<LeaseOutcome> finish(DSLContext tx, List<Answer> done) {
    return jobs.finishStored(tx, done.stream().map(Desk::finished).toList());
  }

  private static Finished<Long, JSONB> finished(Answer answer) {
    Verdict.Complete complete = (Verdict.Complete) answer.verdict();
    return new Finished<>(answer.lease(), complete.result());
  }
}

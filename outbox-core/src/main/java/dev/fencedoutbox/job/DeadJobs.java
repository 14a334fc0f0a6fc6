package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.operate.Operator;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record1;

/**
 * The jobs of a kind that were given up, and what is done about them. Every action names who acts
 * and why, and the statement that acts writes a row into the table {@code job_action} for each job.
 *
 * <p>Transactions as in {@link Jobs}. Rows that another operator is changing are passed by, but if
 * one job is named, for which it waits. It reads the kind's DEAD jobs by an index of their own.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 000, <i>a visible failure state and a controlled repair path</i>.
 */
@CheckReturnValue
public final class DeadJobs<I, C, R> {

  /** The most jobs of one call. */
  public static final int MOST = 10_000;

  private final Jobs<I, C, R> jobs;
  private final JobSql sql;

  DeadJobs(Jobs<I, C, R> jobs, JobSql sql) {
    this.jobs = jobs;
    this.sql = sql;
  }

  /**
   * Those that have waited longest, in the order of their ids.
   *
   * @param limit 1 to {@value #MOST}
   */
  public List<JobView<I, C, R>> list(DSLContext dsl, int limit) {
    return jobs.context(dsl)
        .fetch(sql.dead(requireLimit(limit)))
        .map(row -> new JobView<>(jobs.kind(), row));
  }

  /**
   * Makes the job of that key ready again with fresh attempts, from its checkpoint; its epoch goes
   * on.
   */
  public RedriveOutcome redrive(DSLContext dsl, String key, Operator by) {
    DSLContext context = jobs.context(dsl);
    if (!context.fetch(sql.redriveOne(key, by)).isEmpty()) {
      return RedriveOutcome.REDRIVEN;
    }
    return context.fetch(JobSql.status(sql.of(key))).isEmpty()
        ? RedriveOutcome.ABSENT
        : RedriveOutcome.NOT_DEAD;
  }

  /**
   * The same for all of the kind, the oldest first.
   *
   * @param limit 1 to {@value #MOST}
   * @return the ids of those that were redriven
   */
  public List<Long> redriveAll(DSLContext dsl, int limit, Operator by) {
    return jobs.context(dsl).fetch(sql.redriveAll(requireLimit(limit), by)).map(Record1::value1);
  }

  private static int requireLimit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException(
          "limit must be 1 to %,d and is %,d. Nothing was sent.".formatted(MOST, limit));
    }
    return limit;
  }
}

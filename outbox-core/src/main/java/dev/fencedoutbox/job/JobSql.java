package dev.fencedoutbox.job;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.Columns.put;
import static dev.fencedoutbox.internal.DatabaseClock.clockTimestamp;
import static dev.fencedoutbox.internal.DatabaseClock.interval;
import static dev.fencedoutbox.internal.DatabaseClock.never;
import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static dev.fencedoutbox.schema.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.JOB_ACTION;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.with;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.schema.enums.JobStatus;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import dev.fencedoutbox.schema.tables.records.JobActionRecord;
import dev.fencedoutbox.schema.tables.records.JobRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.SelectForUpdateWaitStep;
import org.jooq.impl.SQLDataType;

/**
 * The statements about jobs of a kind that need no lease; those that do are in {@code
 * LeaseStatements} and {@code ResultColumn}.
 */
record JobSql(String kind) {

  private static final Column<NewJob, String> KEY =
      new Column<>("job_key", SQLDataType.CLOB, NewJob::key);
  private static final Column<NewJob, JSONB> INPUT =
      new Column<>("input", SQLDataType.JSONB, NewJob::input);
  private static final Column<NewJob, String> DELAY =
      new Column<>("delay", SQLDataType.CLOB, job -> job.delay().toString());

  private static final List<Field<?>> AS_THEY_WERE =
      List.of(JOB.ID, JOB.EPOCH, JOB.ATTEMPTS, JOB.JOB_KEY, JOB.LAST_ERROR);

  /** The predicate of the index {@code job_due}. */
  static final Condition NOT_ENDED = JOB.ENDED_AT.isNull();

  private static final Condition IS_DEAD = JOB.STATUS.eq(label(JobStatus.DEAD));

  private static Field<JobStatus> label(JobStatus status) {
    return inline(status, JOB.STATUS);
  }

  Condition ofKind() {
    return JOB.KIND.eq(kind);
  }

  Condition of(String key) {
    return ofKind().and(JOB.JOB_KEY.eq(key));
  }

  Condition of(long id) {
    return ofKind().and(JOB.ID.eq(id));
  }

  /**
   * Stores those whose keys are new, in the order of their keys, so that two submissions of the
   * same jobs do not wait for each other in a circle; returns the key and the id of each.
   */
  ResultQuery<Record2<String, Long>> submit(List<NewJob> jobs) {
    Binds binds = Binds.of("submitted_jobs", jobs, List.of(KEY, INPUT, DELAY));
    Map<Field<?>, Field<?>> values =
        JobRecord.required(val(kind, JOB.KIND), binds.get(0, KEY), binds.get(1, INPUT));
    put(values, JOB.NEXT_ATTEMPT_AT, statementTimestamp().add(interval(binds.get(2, DELAY))));
    return insertInto(JOB)
        .columns(values.keySet())
        .select(select(values.values()).from(binds.sources()).orderBy(binds.order(0, KEY)))
        .onConflict(JOB.KIND, JOB.JOB_KEY)
        .doNothing()
        .returningResult(JOB.JOB_KEY, JOB.ID);
  }

  /** The ids of those that are there. */
  ResultQuery<Record2<String, Long>> ids(Collection<String> keys) {
    return select(JOB.JOB_KEY, JOB.ID)
        .from(JOB)
        .where(ofKind())
        .and(JOB.JOB_KEY.eq(any(keys.toArray(String[]::new))));
  }

  static ResultQuery<Record> read(Condition which) {
    return select(JobView.FIELDS).from(JOB).where(which);
  }

  /** Where the job stands. */
  static ResultQuery<Record1<JobStatus>> status(Condition which) {
    return select(JOB.STATUS).from(JOB).where(which);
  }

  /**
   * Of those with one of these kinds and one of these keys, the ones that are over. By arrays:
   * whatever the statistics say, rows are looked up by their keys.
   */
  static ResultQuery<Record> over(Collection<String> kinds, Collection<String> keys) {
    return read(
        JOB.KIND
            .eq(any(kinds.toArray(String[]::new)))
            .and(JOB.JOB_KEY.eq(any(keys.toArray(String[]::new))))
            .and(
                JOB.STATUS.in(
                    label(JobStatus.DONE), label(JobStatus.DEAD), label(JobStatus.CANCELLED))));
  }

  /** Ends a job that has not ended, whoever holds it. */
  static ResultQuery<Record1<Long>> cancel(Condition which, String reason) {
    return update(JOB)
        .set(JOB.STATUS, label(JobStatus.CANCELLED))
        .set(JOB.LEASE_UNTIL, castNull(JOB.LEASE_UNTIL))
        .set(JOB.LEASE_OWNER, castNull(JOB.LEASE_OWNER))
        .set(JOB.NEXT_ATTEMPT_AT, never())
        .set(JOB.ENDED_AT, clockTimestamp())
        .set(JOB.CANCEL_REASON, val(reason, JOB.CANCEL_REASON))
        .where(which)
        .and(
            JOB.STATUS.in(
                label(JobStatus.READY), label(JobStatus.INPROGRESS), label(JobStatus.DEAD)))
        .returningResult(JOB.ID);
  }

  ResultQuery<Record> dead(int limit) {
    return select(JobView.FIELDS)
        .from(JOB)
        .where(ofKind())
        .and(dead())
        .orderBy(JOB.ID)
        .limit(inline(limit));
  }

  /** The predicate of the index {@code job_dead}; the status says the same. */
  private static Condition dead() {
    return JOB.NEXT_ATTEMPT_AT.eq(never()).and(NOT_ENDED).and(IS_DEAD);
  }

  /** One that is named is waited for; of several, those that others have locked are passed by. */
  ResultQuery<Record1<Long>> redriveOne(String key, Operator by) {
    return redrive(locked(of(key), 1), by);
  }

  ResultQuery<Record1<Long>> redriveAll(int limit, Operator by) {
    return redrive(locked(ofKind(), limit).skipLocked(), by);
  }

  private static SelectForUpdateWaitStep<Record> locked(Condition which, int limit) {
    return select(AS_THEY_WERE)
        .from(JOB)
        .where(which)
        .and(dead())
        .orderBy(JOB.ID)
        .limit(inline(limit))
        .forNoKeyUpdate();
  }

  /** The epoch stays, the attempts and the due time are new; and it is written down. */
  private ResultQuery<Record1<Long>> redrive(Select<Record> rows, Operator by) {
    CommonTableExpression<Record> chosen = name("chosen_rows").asMaterialized(rows);
    Field<Long> id = column(chosen, JOB.ID);
    CommonTableExpression<Record1<Long>> redriven =
        name("redriven_rows")
            .as(
                update(JOB)
                    .set(JOB.STATUS, label(JobStatus.READY))
                    .set(JOB.ATTEMPTS, inline(0))
                    .set(JOB.NEXT_ATTEMPT_AT, clockTimestamp())
                    .where(JOB.ID.eq(any(array(select(id).from(chosen)))))
                    .and(IS_DEAD)
                    .returningResult(JOB.ID));
    Map<Field<?>, Field<?>> values =
        JobActionRecord.required(
            id,
            column(chosen, JOB.EPOCH),
            column(chosen, JOB.ATTEMPTS),
            val(OperatorVerb.REDRIVE, JOB_ACTION.VERB),
            val(kind, JOB_ACTION.KIND),
            column(chosen, JOB.JOB_KEY),
            val(by.who(), JOB_ACTION.WHO),
            val(by.why(), JOB_ACTION.WHY));
    put(values, JOB_ACTION.LAST_ERROR, column(chosen, JOB.LAST_ERROR));
    return with(chosen, redriven)
        .insertInto(JOB_ACTION)
        .columns(values.keySet())
        .select(
            select(values.values())
                .from(chosen)
                .join(redriven)
                .on(column(redriven, JOB.ID).eq(id))
                .orderBy(id))
        .returningResult(JOB_ACTION.JOB_ID);
  }
}

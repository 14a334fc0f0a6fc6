package dev.fencedoutbox.it.app;

import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.LeaseTable;

/** The shop's long work: its own job table, leased, and its own effect table, fenced. */
public final class ShopJobs {

  /** The shop's job table as the library leases it. */
  public static final LeaseTable<Long, JobRecord> JOBS =
      LeaseTable.of(JOB, JOB.ID)
          .epoch(JOB.EPOCH)
          .attempts(JOB.ATTEMPTS)
          .leaseUntil(JOB.LEASE_UNTIL)
          .status(JOB.STATE, JobState.READY, JobState.RUNNING, JobState.DEAD)
          .completedAs(JobState.DONE)
          .dueAt(JOB.RUN_AFTER)
          .owner(JOB.WORKER)
          .lastError(JOB.FAILURE);

  private ShopJobs() {}

  /** Stores a job's result; the last accepted one stays. */
  public static Effect<Long> storing(String result) {
    return accepted ->
        insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
            .select(select(accepted.key(), val(result, EFFECT.VALUE)).from(accepted.table()))
            .onConflict(EFFECT.JOB_ID)
            .doUpdate()
            .set(EFFECT.VALUE, excluded(EFFECT.VALUE));
  }

  /** Stores a job's result unless there is one. */
  public static Effect<Long> storingOnce(String result) {
    return accepted ->
        insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
            .select(select(accepted.key(), val(result, EFFECT.VALUE)).from(accepted.table()))
            .onConflict(EFFECT.JOB_ID)
            .doNothing();
  }
}

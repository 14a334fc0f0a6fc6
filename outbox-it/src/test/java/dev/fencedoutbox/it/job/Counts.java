package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.schema.Tables.JOB;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.SubmitOutcome;
import dev.fencedoutbox.job.Submitted;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Work that shows how far it came: to count up to its input. */
final class Counts {

  private static final Converter<JSONB, Integer> NUMBER =
      Converter.of(
          JSONB.class,
          Integer.class,
          json -> Integer.valueOf(json.data()),
          number -> JSONB.valueOf(number.toString()));

  static final JobKind<Integer, Integer, Integer> COUNT =
      JobKind.of("count", NUMBER, NUMBER, NUMBER);
  static final Jobs<Integer, Integer, Integer> COUNTS = Jobs.of(COUNT);

  /** Another kind, of plain JSON. */
  static final JobKind<JSONB, JSONB, JSONB> PLAIN = JobKind.json("plain");

  static final Leases A = Leases.ownedBy("A");
  static final Leases B = Leases.ownedBy("B");

  private Counts() {}

  /** Submits a count up to 10, and returns its id. */
  static long submit(DSLContext dsl, String key) {
    Submitted submitted =
        dsl.transactionResult(tx -> COUNTS.submit(tx.dsl(), COUNT.job(10).key(key)));
    if (submitted.outcome() != SubmitOutcome.CREATED) {
      throw new AssertionError("not new: " + submitted);
    }
    return submitted.id();
  }

  /** A submits a job and claims it. */
  static Lease<Long> claimed(DSLContext dsl, String key) {
    return claim(dsl, A, submit(dsl, key));
  }

  static Lease<Long> claim(DSLContext dsl, Leases by, long id) {
    return Fixtures.only(by.claimByKey(dsl, COUNTS.table(), Fixtures.LONG, id));
  }

  /** B takes the job over, whose lease is over. */
  static Lease<Long> takenOver(DSLContext dsl, long id) {
    expire(dsl, id);
    return claim(dsl, B, id);
  }

  static void expire(DSLContext dsl, long id) {
    int rows =
        dsl.update(JOB)
            .set(
                JOB.LEASE_UNTIL,
                DSL.field(
                    "clock_timestamp() - interval '1 second'", SQLDataType.TIMESTAMPWITHTIMEZONE))
            .where(JOB.ID.eq(id))
            .execute();
    if (rows != 1) {
      throw new AssertionError("no job " + id);
    }
  }

  static JobView<Integer, Integer, Integer> view(DSLContext dsl, long id) {
    return COUNTS.find(dsl, id).orElseThrow();
  }
}

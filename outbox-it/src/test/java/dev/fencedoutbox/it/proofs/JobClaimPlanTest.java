package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done stays in the table and costs a claim nothing; a claim touches no index. */
class JobClaimPlanTest {

  private static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(JobKind.json("render"));
  private static final Leases LEASES = Leases.ownedBy("a-worker-of-some-host-17");
  private static final int LIMIT = 100;
  private static final int READY = 1_000;
  private static final TestDatabase FULL = filled();

  private static TestDatabase database() {
    TestDatabase database = TestDatabase.create();
    database.dsl().execute("alter table outbox.job set (autovacuum_enabled = false)");
    return database;
  }

  private static void ready(DSLContext dsl, int count) {
    dsl.execute(
        "insert into outbox.job (kind, job_key, input, next_attempt_at) select 'render', 'r' || n,"
            + " jsonb_build_object('text', repeat('x', 200)), clock_timestamp() - interval '1 hour'"
            + " from generate_series(1, ?) n",
        count);
  }

  @ParameterizedTest(name = "analyzed: {0}")
  @ValueSource(booleans = {false, true})
  void claim_besideJobsThatAreOver_readsTheDueOnesOnly(boolean analyzed) throws Exception {
    if (analyzed) {
      FULL.dsl().execute("analyze outbox.job");
    }
    for (PlanCacheMode mode : PlanCacheMode.values()) {
      Explained claim = explainedClaim(mode);
      assertThat(claim.nodes())
          .as(claim.text())
          .contains("Index Scan job_due", "LockRows")
          .doesNotContain("Sort", "Incremental Sort", "Seq Scan job");
      assertThat(claim.rows()).isEqualTo(LIMIT);
      // 346 on PostgreSQL 18 and 646 on 14, which looks up each key from the root; the update
      // included
      assertThat(claim.buffers()).as(claim.text()).isLessThan(900);
    }
  }

  private static Explained explainedClaim(PlanCacheMode mode) throws SQLException {
    try (Connection connection = FULL.connect()) {
      connection.setAutoCommit(false);
      Explained claim =
          Explained.of(
              connection, mode, LeaseStatements.claim(JOBS.table(), LONG, "plan", LIMIT).query());
      connection.rollback();
      return claim;
    }
  }

  /** 200,000 that are done, and 1,000 that wait. */
  private static TestDatabase filled() {
    TestDatabase database = database();
    database
        .dsl()
        .execute(
            "insert into outbox.job (kind, job_key, input, status, next_attempt_at, ended_at,"
                + " epoch, attempts) select 'render', 'd' || n, '{}', 'DONE',"
                + " '9999-12-31 00:00:00+00', clock_timestamp(), 1, 1"
                + " from generate_series(1, 200000) n");
    ready(database.dsl(), READY);
    return database;
  }

  @Test
  void claimRenewalCheckpointAndRelease_touchNoIndex() {
    DSLContext dsl = database().dsl();
    ready(dsl, READY);
    long before = hot(dsl, 0);
    List<Lease<Long>> leases = new ArrayList<>();
    for (int i = 0; i < READY / LIMIT; i++) {
      leases.addAll(Fixtures.leases(LEASES.claim(dsl, JOBS.table(), LONG, LIMIT)));
    }
    assertThat(hot(dsl, READY) - before).as("claims").isEqualTo(READY);
    assertThat(LEASES.renewAll(dsl, leases, Duration.ofMinutes(20)))
        .allMatch(RenewOutcome.Renewed.class::isInstance);
    assertThat(hot(dsl, 2 * READY) - before).as("renewals").isEqualTo(2 * READY);
    assertThat(LEASES.releaseAll(dsl, leases)).containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(hot(dsl, 3 * READY) - before).as("releases").isEqualTo(3 * READY);
  }

  /** The updates so far that touched no index, once there were so many updates. */
  private static long hot(DSLContext dsl, long updates) {
    return await()
        .pollInSameThread()
        .until(() -> updates(dsl), row -> row.get(0, Long.class) >= updates)
        .get(1, Long.class);
  }

  private static Record updates(DSLContext dsl) {
    Backlog.flushCounters(dsl);
    return dsl.fetchSingle(
        "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables"
            + " where schemaname = 'outbox' and relname = 'job'");
  }
}

package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.expireJob;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Article 002: the late worker is made to arrive, in each order in which it can. What counts is the
 * value that is stored at the end.
 */
class LateWorkerTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases A = Leases.ownedBy("A");
  private static final Leases B = Leases.ownedBy("B");

  private final DSLContext dsl = DB.dsl();
  private long id;
  private Lease<Long> ofA;

  @BeforeEach
  void aClaims() {
    ofA = Fixtures.onlyJob(DB, A);
    id = ofA.key();
  }

  @Test
  void aArrives_afterBFinished_theStoredValueIsBs() {
    expireJob(dsl, id);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));
    assertThat(B.finish(dsl, ofB, storing("B"))).isEqualTo(EffectOutcome.APPLIED);

    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(storedValue()).isEqualTo("B");
  }

  @Test
  void aArrives_beforeBFinishes_theStoredValueIsBs() {
    expireJob(dsl, id);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));

    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetchCount(EFFECT)).as("stored by A").isZero();
    assertThat(B.finish(dsl, ofB, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
    assertThat(storedValue()).isEqualTo("B");
  }

  @Test
  void aArrives_beforeAnybodyElseClaims_storesNothing() {
    expireJob(dsl, id);

    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(dsl.fetchSingle(JOB).getState()).isEqualTo(JobState.RUNNING);
  }

  /** A's statement has read the row as A's own, and waits; what it finds afterwards must decide. */
  @ParameterizedTest
  @EnumSource(Write.class)
  void aWaits_whileBTakesOverAndFinishes_isRefused(Write write)
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection connection = DB.connect()) {
      takeOverAndFinish(connection);
      try (Blocked<String> a = Blocked.start(DB, on -> write.on(on, A, ofA, JOB.INPUT))) {
        connection.commit();

        assertThat(a.result()).isEqualTo(write.refusal("SUPERSEDED"));
      }
    }
    assertThat(storedValue()).isEqualTo("B");
    var row = dsl.fetchSingle(JOB);
    assertThat(row.getState()).isEqualTo(JobState.DONE);
    assertThat(row.getInput()).isEqualTo("render");
    assertThat(row.getEpoch()).isEqualTo(2);
  }

  /** The same wait, and B is still at work afterwards: only the epoch tells whose row it is. */
  @ParameterizedTest
  @EnumSource(Write.class)
  void aWaits_whileBTakesOver_isRefused(Write write)
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection connection = DB.connect()) {
      Lease<Long> ofB = takeOver(connection);
      JobRecord rowOfB = TestDatabase.on(connection).fetchSingle(JOB);
      try (Blocked<String> a = Blocked.start(DB, on -> write.on(on, A, ofA, JOB.INPUT))) {
        connection.commit();

        assertThat(a.result()).isEqualTo(write.refusal("SUPERSEDED"));
      }
      assertThat(dsl.fetchCount(EFFECT)).as("stored by A").isZero();
      assertThat(dsl.fetchSingle(JOB)).isEqualTo(rowOfB);
      assertThat(B.finish(dsl, ofB, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
    }
    assertThat(storedValue()).isEqualTo("B");
  }

  /** The same wait, and B gives up: the fence refuses nobody who still holds. */
  @ParameterizedTest
  @EnumSource(Write.class)
  void aWaits_whileBTakesOverAndRollsBack_isAccepted(Write write)
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection connection = DB.connect()) {
      takeOverAndFinish(connection);
      try (Blocked<String> a = Blocked.start(DB, on -> write.on(on, A, ofA, JOB.INPUT))) {
        connection.rollback();

        assertThat(a.result()).isEqualTo(write.acceptance());
      }
    }
    assertThat(dsl.fetchSingle(JOB).getEpoch()).isEqualTo(1);
  }

  /** The deadline passes between the arrival of A's statement and the end of its wait. */
  @ParameterizedTest
  @EnumSource(Write.class)
  void aWaits_pastItsOwnDeadline_isRefused(Write write)
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      DSLContext open = TestDatabase.on(connection);
      open.update(JOB).set(JOB.PROGRESS, 50).where(JOB.ID.eq(id)).execute();
      try (Blocked<String> a = Blocked.start(DB, on -> write.on(on, A, ofA, JOB.INPUT))) {
        open.execute("update shop.job set lease_until = clock_timestamp()");
        connection.commit();

        assertThat(a.result()).isEqualTo(write.refusal("EXPIRED"));
      }
    }
    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(dsl.fetchSingle(JOB).getState()).isEqualTo(JobState.RUNNING);
  }

  /** In one open transaction, so that A's statement still sees its own live claim and must wait. */
  private Lease<Long> takeOver(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    DSLContext open = TestDatabase.on(connection);
    expireJob(open, id);
    return only(B.claimByKey(open, JOBS, LONG, id));
  }

  private void takeOverAndFinish(Connection connection) throws SQLException {
    Lease<Long> ofB = takeOver(connection);
    assertThat(B.finish(TestDatabase.on(connection), ofB, storing("B")))
        .isEqualTo(EffectOutcome.APPLIED);
  }

  private String storedValue() {
    return dsl.fetchSingle(EFFECT).getValue();
  }
}

package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.expireJob;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002: what is written on the way needs the same protection as the result. */
class CheckpointTest {
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
  void checkpoint_ofALateWorker_publishesNoObsoleteProgress() {
    assertThat(A.checkpoint(dsl, ofA, JOB.PROGRESS, 10)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(row().getProgress()).isEqualTo(10);
    expireJob(dsl, id);
    assertThat(A.checkpoint(dsl, ofA, JOB.PROGRESS, 11)).isEqualTo(LeaseOutcome.EXPIRED);
    assertThat(row().getProgress()).as("after the deadline").isEqualTo(10);

    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));
    assertThat(B.checkpoint(dsl, ofB, JOB.PROGRESS, 20)).isEqualTo(LeaseOutcome.ACCEPTED);
    JobRecord before = row();
    assertThat(A.checkpoint(dsl, ofA, JOB.PROGRESS, 12)).isEqualTo(LeaseOutcome.SUPERSEDED);

    assertThat(row()).isEqualTo(before);
    assertThat(row().getProgress()).isEqualTo(20);
  }

  @Test
  void apply_ofALateWorker_overwritesNothing() {
    expireJob(dsl, id);
    assertThat(A.apply(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));
    assertThat(B.apply(dsl, ofB, storing("B so far"))).isEqualTo(EffectOutcome.APPLIED);

    assertThat(A.apply(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("B so far");
  }

  @Test
  void hold_keepsTheRow_untilTheHostsOwnStatementsCommit()
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      DSLContext tx = TestDatabase.on(connection);
      assertThat(A.hold(tx, ofA)).isEqualTo(LeaseOutcome.ACCEPTED);
      writeTwice(tx);
      // Even to let the lease run out, as a test may, takes the row
      try (Blocked<Lease<Long>> b = Blocked.start(DB, this::expireAndClaim)) {
        assertThat(dsl.fetchCount(INVOICE)).isZero();
        connection.commit();

        assertThat(b.result().epoch().value()).isEqualTo(2);
        assertThat(dsl.fetchCount(INVOICE)).isEqualTo(2);
      }
    }
  }

  private Lease<Long> expireAndClaim(DSLContext on) {
    expireJob(on, id);
    return only(B.claimByKey(on, JOBS, LONG, id));
  }

  @Test
  void hold_ofALateWorker_isRefused_andWhatItWroteRollsBack() {
    expireJob(dsl, id);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));

    assertThat(heldAndWritten(A, ofA)).isEqualTo(LeaseOutcome.SUPERSEDED);
    assertThat(dsl.fetchCount(INVOICE)).isZero();

    assertThat(heldAndWritten(B, ofB)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(dsl.fetchCount(INVOICE)).isEqualTo(2);
  }

  /** As a host writes it: the guard first, and nothing after a refusal. */
  private LeaseOutcome heldAndWritten(Leases leases, Lease<Long> lease) {
    return dsl.transactionResult(
        tx -> {
          LeaseOutcome outcome = leases.hold(tx.dsl(), lease);
          if (outcome.accepted()) {
            writeTwice(tx.dsl());
          }
          return outcome;
        });
  }

  private static void writeTwice(DSLContext tx) {
    for (String order : new String[] {"order-1", "order-2"}) {
      tx.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
          .values(order, BigDecimal.ONE)
          .execute();
    }
  }

  private JobRecord row() {
    return dsl.fetchSingle(JOB, JOB.ID.eq(id));
  }
}

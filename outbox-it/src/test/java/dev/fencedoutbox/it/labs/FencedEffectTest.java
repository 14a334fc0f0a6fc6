package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.app.ShopJobs.storingOnce;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.expireJob;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.tables.records.ReceiptRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002: the acceptance and the effect are one statement. */
class FencedEffectTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases WORKER = Leases.ownedBy("worker");
  private static final Effect<Long> VIOLATING =
      accepted ->
          insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
              .select(select(accepted.key(), castNull(EFFECT.VALUE)).from(accepted.table()));

  private final DSLContext dsl = DB.dsl();
  private final List<String> statements = new ArrayList<>();
  private final DSLContext counted =
      dsl.configuration()
          .deriveAppending(
              ExecuteListener.onExecuteStart(
                  context -> statements.add(String.valueOf(context.sql()))))
          .dsl();
  private long id;
  private Lease<Long> lease;

  @BeforeEach
  void claim() {
    DB.clear();
    id = Fixtures.job(dsl, "render");
    lease = only(WORKER.claimByKey(dsl, JOBS, LONG, id));
  }

  @Test
  void finish_thatIsApplied_isOneStatement() {
    assertThat(WORKER.finish(counted, lease, storing("done"))).isEqualTo(EffectOutcome.APPLIED);

    assertThat(statements).hasSize(1);
    assertThat(statements.get(0))
        .contains("update \"shop\".\"job\"", "insert into \"shop\".\"effect\"");
    assertThat(row().getState()).isEqualTo(JobState.DONE);
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("done");
  }

  /** An aggregate has a row even over none. */
  @Test
  void finish_withAnEffectThatWritesThoughTheLeaseIsLost_failsAndLeavesNothing() {
    expireJob(dsl, id);
    JobRecord before = row();
    Effect<Long> aggregate =
        accepted ->
            insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                .select(
                    select(val(id, EFFECT.JOB_ID), count().cast(EFFECT.VALUE))
                        .from(accepted.table()));

    assertThatThrownBy(() -> WORKER.finish(dsl, lease, aggregate))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining(
            "The lease does not hold, and the effect wrote all the same; rows: 1");

    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(row()).isEqualTo(before);
  }

  @Test
  void apply_thatIsApplied_isOneStatement_andTheClaimGoesOn() {
    JobRecord before = row();

    assertThat(WORKER.apply(counted, lease, storing("half"))).isEqualTo(EffectOutcome.APPLIED);

    assertThat(statements).hasSize(1);
    assertThat(row()).isEqualTo(before);
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("half");
  }

  @Test
  void refusedEffect_isFollowedByNoOtherStatement() {
    expireJob(dsl, id);

    assertThat(WORKER.finish(counted, lease, storing("late"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(WORKER.apply(counted, lease, storing("late"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(statements).hasSize(2);
    assertThat(dsl.fetchCount(EFFECT)).isZero();
  }

  @Test
  void effectThatViolatesAConstraint_leavesTheJobClaimedAsBefore() {
    JobRecord before = row();

    assertThatThrownBy(() -> finishedBy(VIOLATING))
        .isInstanceOfSatisfying(
            DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("23502"));

    assertThat(row()).isEqualTo(before);
    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(finishedBy(storing("second try"))).isEqualTo(EffectOutcome.APPLIED);
  }

  @Test
  void effectAndAcceptance_areSeenByOthersTogether() throws SQLException {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      assertThat(WORKER.finish(TestDatabase.on(connection), lease, storing("done")))
          .isEqualTo(EffectOutcome.APPLIED);

      assertThat(row().getState()).isEqualTo(JobState.RUNNING);
      assertThat(dsl.fetchCount(EFFECT)).isZero();

      connection.commit();
    }
    assertThat(row().getState()).isEqualTo(JobState.DONE);
    assertThat(dsl.fetchCount(EFFECT)).isOne();
  }

  @Test
  void effectThatIsThereAlready_isToldFromAFence() {
    dsl.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE).values(id, "earlier").execute();

    assertThat(finishedBy(storingOnce("again"))).isEqualTo(EffectOutcome.DUPLICATE);

    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("earlier");
    assertThat(row().getState()).as("the work is done all the same").isEqualTo(JobState.DONE);
  }

  @Test
  void finish_ofADelivery_leavesItsReceipt() {
    Lease<Long> delivery = leasedDelivery();

    assertThat(WORKER.finish(dsl, delivery, storing("sent"))).isEqualTo(EffectOutcome.APPLIED);

    ReceiptRecord receipt = dsl.fetchSingle(RECEIPT);
    assertThat(receipt.getDeliveryId()).isEqualTo(delivery.key());
    assertThat(receipt.getEpoch()).isEqualTo(delivery.epoch().value());
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("sent");
  }

  @Test
  void finish_ofADeliveryThatIsFenced_leavesNoReceipt() {
    Lease<Long> delivery = leasedDelivery();
    expireDelivery(dsl, delivery.key());

    assertThat(WORKER.finish(dsl, delivery, storing("late"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetchCount(RECEIPT)).isZero();
    assertThat(dsl.fetchCount(DELIVERY)).isOne();
    assertThat(dsl.fetchCount(EFFECT)).isZero();
  }

  private Lease<Long> leasedDelivery() {
    enqueue(dsl, message("said"));
    return only(WORKER.claim(dsl, Outbox.create().deliveries(Channel.DEFAULT), LONG, 1));
  }

  private EffectOutcome finishedBy(Effect<Long> effect) {
    return WORKER.finish(dsl, lease, effect);
  }

  private JobRecord row() {
    return dsl.fetchSingle(JOB, JOB.ID.eq(id));
  }
}

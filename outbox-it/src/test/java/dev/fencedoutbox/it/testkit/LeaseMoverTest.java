package dev.fencedoutbox.it.testkit;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.testkit.LeaseMover;
import java.sql.Connection;
import java.time.Duration;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every late worker of the articles, without waiting. */
class LeaseMoverTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases WORKER = Leases.ownedBy("worker");
  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(Channel.DEFAULT);

  private final DSLContext dsl = DB.dsl();
  private final LeaseMover<Long> mover = LeaseMover.on(dsl, JOBS);
  private Lease<Long> lease;
  private long id;

  @BeforeEach
  void claim() {
    lease = Fixtures.onlyJob(DB, WORKER);
    id = lease.key();
  }

  @Test
  void expire_makesTheOwnerLate_andTheRowClaimable() {
    long other = Fixtures.job(dsl, "other");
    Lease<Long> untouched = only(WORKER.claimByKey(dsl, JOBS, LONG, other));

    mover.expire(id);

    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.EXPIRED);
    assertThat(WORKER.complete(dsl, untouched)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(only(WORKER.claimByKey(dsl, JOBS, LONG, id)).epoch().value()).isEqualTo(2);
  }

  @Test
  void takeOver_isAClaimByAnotherOwner() {
    Lease<Long> others = mover.takeOver(id);

    assertThat(others.epoch().value()).isEqualTo(2);
    assertThat(row().getWorker()).isEqualTo("another owner");
    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.SUPERSEDED);
    assertThat(WORKER.complete(dsl, others)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  /** A delivery whose budget is used up would be buried by a claim. */
  @Test
  void takeOver_ofARowThatIsSpent_takesItAllTheSame() {
    dsl.update(JOB).set(JOB.ATTEMPTS, 1_000).where(JOB.ID.eq(id)).execute();

    assertThat(mover.takeOver(id).attempts()).isEqualTo(1_001);
  }

  @Test
  void makeDue_endsTheWaitOfARetry() {
    assertThat(WORKER.retry(dsl, lease, Duration.ofHours(1), "broken"))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(WORKER.claimByKey(dsl, JOBS, LONG, id).isEmpty()).isTrue();

    mover.makeDue(id);

    assertThat(only(WORKER.claimByKey(dsl, JOBS, LONG, id)).attempts()).isEqualTo(2);
  }

  @Test
  void rowInAnotherState_isNotMoved_andTheErrorSaysSo() {
    assertThatThrownBy(() -> mover.makeDue(id))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "Row %d of shop.job does not wait, or an open transaction has locked it. Nothing was moved.",
            id);

    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.ACCEPTED);
    JobRecord done = row();

    assertThatThrownBy(() -> mover.expire(id))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("has no lease to expire");
    assertThatThrownBy(() -> mover.takeOver(id))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("has no lease to take over");
    assertThatThrownBy(() -> mover.makeDue(id)).isInstanceOf(AssertionError.class);
    assertThat(row()).isEqualTo(done);
  }

  /** Waiting would be for ever where one thread holds the lock and moves the lease. */
  @Test
  void rowThatIsLocked_isNotWaitedFor() {
    dsl.transaction(
        tx -> {
          assertThat(WORKER.hold(tx.dsl(), lease)).isEqualTo(LeaseOutcome.ACCEPTED);

          assertThatThrownBy(() -> mover.takeOver(id))
              .isInstanceOf(AssertionError.class)
              .hasMessageContaining("an open transaction has locked it");
        });
  }

  @Test
  void transactionOfTheCaller_takesTheMoveBackWhenItIsRolledBack() {
    dsl.transaction(
        tx -> {
          assertThat(LeaseMover.on(tx.dsl(), JOBS).takeOver(id).epoch().value()).isEqualTo(2);
          tx.dsl().connection(Connection::rollback);
        });

    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  @Test
  void deliveries_areMovedAsWell() {
    enqueue(dsl, message("e1").after(Duration.ofHours(1)));
    LeaseMover<Long> deliveries = LeaseMover.on(dsl, DELIVERIES);
    long delivery = onlyDelivery();
    assertThat(WORKER.claim(dsl, DELIVERIES, LONG, 1).isEmpty()).isTrue();

    deliveries.makeDue(delivery);
    Lease<Long> late = only(WORKER.claim(dsl, DELIVERIES, LONG, 1));
    deliveries.expire(delivery);

    assertThat(WORKER.complete(dsl, late)).isEqualTo(LeaseOutcome.EXPIRED);
    assertThat(only(WORKER.claim(dsl, DELIVERIES, LONG, 1)).epoch().value()).isEqualTo(2);
    deliveries.takeOver(delivery);
    assertThat(WORKER.complete(dsl, late)).isEqualTo(LeaseOutcome.SUPERSEDED);
  }

  private long onlyDelivery() {
    return dsl.fetchSingle(DELIVERY).getId();
  }

  private JobRecord row() {
    return dsl.fetchSingle(JOB, JOB.ID.eq(id));
  }
}

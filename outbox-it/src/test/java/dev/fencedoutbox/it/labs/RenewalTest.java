package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
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
import dev.fencedoutbox.lease.RenewOutcome;
import java.time.Duration;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002: renewal keeps the same ownership rule. */
class RenewalTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Duration LONGER = Duration.ofHours(1);
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
  void expiredClaim_cannotRenew() {
    expireJob(dsl, id);

    assertRefused(A, ofA, LeaseOutcome.EXPIRED);
  }

  @Test
  void staleClaim_cannotRenew_andTheOwnersCan() {
    expireJob(dsl, id);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));

    assertRefused(A, ofA, LeaseOutcome.SUPERSEDED);

    RenewOutcome<Long> outcome = B.renew(dsl, ofB, LONGER);
    assertThat(outcome).isInstanceOf(RenewOutcome.Renewed.class);
    Lease<Long> renewed = ((RenewOutcome.Renewed<Long>) outcome).lease();
    assertThat(renewed.epoch()).as("a renewal is no claim").isEqualTo(ofB.epoch());
    assertThat(renewed.leaseUntil()).isAfter(ofB.leaseUntil());
    assertThat(row().getLeaseUntil()).isEqualTo(renewed.leaseUntil());
    assertThat(row().getEpoch()).isEqualTo(ofB.epoch().value());
    assertThat(row().getAttempts()).isEqualTo(2);
    assertThat(B.finish(dsl, renewed, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
  }

  @Test
  void finishedClaim_cannotRenew() {
    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.APPLIED);

    assertRefused(A, ofA, LeaseOutcome.SETTLED);
  }

  @Test
  void shorterRenewal_doesNotMoveTheDeadlineBack() {
    RenewOutcome<Long> outcome = A.renew(dsl, ofA, Duration.ofSeconds(1));

    assertThat(outcome).isInstanceOf(RenewOutcome.Renewed.class);
    Lease<Long> renewed = ((RenewOutcome.Renewed<Long>) outcome).lease();
    assertThat(renewed.leaseUntil()).isEqualTo(ofA.leaseUntil());
    assertThat(renewed.trustLeft(System.nanoTime())).isLessThan(Duration.ofSeconds(1));
  }

  private void assertRefused(Leases leases, Lease<Long> lease, LeaseOutcome reason) {
    JobRecord before = row();

    assertThat(leases.renew(dsl, lease, LONGER))
        .isEqualTo(new RenewOutcome.Refused<>(lease, reason));

    assertThat(row()).isEqualTo(before);
  }

  private JobRecord row() {
    return dsl.fetchSingle(JOB, JOB.ID.eq(id));
  }
}

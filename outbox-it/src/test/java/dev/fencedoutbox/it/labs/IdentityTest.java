package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002: a row that was deleted and created again cannot make an old epoch current. */
class IdentityTest {
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
  void recreatedRow_hasANewKey_soTheOldLeaseIsGone() {
    delete();
    long recreated = Fixtures.job(dsl, "render");
    assertThat(recreated).isNotEqualTo(id);
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, recreated));
    assertThat(ofB.epoch()).as("both are the first claim of their row").isEqualTo(ofA.epoch());

    assertThat(A.complete(dsl, ofA)).isEqualTo(LeaseOutcome.GONE);
    assertThat(A.checkpoint(dsl, ofA, JOB.PROGRESS, 99)).isEqualTo(LeaseOutcome.GONE);
    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(dsl.fetchSingle(JOB).getProgress()).isZero();
    assertThat(B.finish(dsl, ofB, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
  }

  @Test
  void recreatedRow_underTheSameKeyByForce_isNotTheOneThatWasClaimed() {
    delete();
    recreateUnderTheSameKey();

    assertThat(A.complete(dsl, ofA)).isEqualTo(LeaseOutcome.GONE);
    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(dsl.fetchCount(EFFECT)).isZero();
  }

  /** No fence can see this, which is why a description demands a key that cannot come back. */
  @Test
  void keyUsedTwice_andClaimedAgain_makesAnOldEpochCurrent() {
    delete();
    recreateUnderTheSameKey();
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));
    assertThat(ofB).isEqualTo(ofA);

    assertThat(A.finish(dsl, ofA, storing("A"))).isEqualTo(EffectOutcome.APPLIED);
  }

  @Test
  void leaseTable_overAKeyThatCanComeBack_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeaseTable.of(CUSTOMER_ORDER, CUSTOMER_ORDER.ID))
        .withMessage(
            "Key \"shop\".\"customer_order\".\"id\" is neither an identity column nor a uuid, so a"
                + " deleted row could come back under the same key at epoch 0 and make an old lease"
                + " look current. Use such a key, or confirm with LeaseTable.ofNeverReused(...)"
                + " that the application never uses a key twice.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeaseTable.of(EFFECT, EFFECT.JOB_ID))
        .withMessageContaining("Key \"shop\".\"effect\".\"job_id\" is neither");
  }

  @Test
  void leaseTable_overAKeyThatTheApplicationVouchesFor_isAccepted() {
    assertThat(LeaseTable.ofNeverReused(CUSTOMER_ORDER, CUSTOMER_ORDER.ID)).isNotNull();
  }

  /**
   * A number counts when its claim commits. A worker that acts under an uncommitted claim shares
   * its epoch with the next one, which is why a claim is committed before slow work.
   */
  @Test
  void claimThatWasRolledBack_givesItsEpochToTheNextClaim() {
    assertThat(A.release(dsl, ofA)).isEqualTo(LeaseOutcome.ACCEPTED);
    AtomicReference<@Nullable Lease<Long>> answer = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                dsl.transaction(
                    tx -> {
                      answer.set(only(A.claimByKey(tx.dsl(), JOBS, LONG, id)));
                      throw new IllegalStateException("the caller rolls back");
                    }))
        .hasMessageContaining("the caller rolls back");

    Lease<Long> rolledBack = Objects.requireNonNull(answer.get());
    Lease<Long> ofB = only(B.claimByKey(dsl, JOBS, LONG, id));

    assertThat(rolledBack.epoch().value()).isEqualTo(ofA.epoch().value() + 1);
    assertThat(ofB).as("no fence tells them apart").isEqualTo(rolledBack);
    assertThat(A.finish(dsl, rolledBack, storing("A"))).isEqualTo(EffectOutcome.APPLIED);
    assertThat(B.complete(dsl, ofB)).isEqualTo(LeaseOutcome.SETTLED);
  }

  private void delete() {
    assertThat(dsl.deleteFrom(JOB).where(JOB.ID.eq(id)).execute()).isOne();
  }

  private void recreateUnderTheSameKey() {
    dsl.execute(
        "insert into shop.job (id, input) overriding system value values (?, 'render')", id);
  }
}

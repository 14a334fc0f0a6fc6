package dev.fencedoutbox.it.testkit;

import static dev.fencedoutbox.internal.Existence.exists;
import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.testkit.EffectUnderTest;
import dev.fencedoutbox.testkit.FencedEffectCheck;
import java.math.BigDecimal;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check lets fenced effects through, and catches each kind of effect that is not. */
class FencedEffectCheckTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases LEASES = Leases.ownedBy("the shop");
  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(Channel.DEFAULT);

  /** An effect of a job of the shop's, in the table of results. */
  private interface JobEffect extends EffectUnderTest<Long> {

    @Override
    default Long newRow(DSLContext dsl) {
      return Fixtures.job(dsl, "render");
    }

    @Override
    default Object state(DSLContext dsl, Long key) {
      return dsl.fetchValues(select(EFFECT.VALUE).from(EFFECT).where(EFFECT.JOB_ID.eq(key)));
    }
  }

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void finish_isFenced() {
    check((on, lease) -> LEASES.finish(on, lease, storing(mark(lease))) == EffectOutcome.APPLIED);

    assertThat(dsl.fetchCount(JOB)).as("rows, one for each situation").isEqualTo(8);
  }

  @Test
  void apply_isFenced() {
    check((on, lease) -> LEASES.apply(on, lease, storing(mark(lease))) == EffectOutcome.APPLIED);
  }

  @Test
  void hold_thenWrite_isFenced() {
    check(
        (on, lease) ->
            on.transactionResult(
                tx ->
                    LEASES.hold(tx.dsl(), lease).accepted()
                        && store(tx.dsl(), lease.key(), mark(lease))));
  }

  @Test
  void write_thenCompleteOrRollBack_isFenced() {
    check(
        (on, lease) ->
            on.transactionResult(
                tx -> {
                  boolean stored = store(tx.dsl(), lease.key(), mark(lease));
                  if (!LEASES.complete(tx.dsl(), lease).accepted()) {
                    throw new IllegalStateException("the lease is lost");
                  }
                  return stored;
                }));
  }

  @Test
  void effectUnderADelivery_isFenced() {
    FencedEffectCheck.on(dsl, DELIVERIES).assertFenced(new InvoiceOfDelivery());
  }

  @Test
  void effectThatIgnoresTheLease_isCaughtEverywhere() {
    assertThat(violations((on, lease) -> store(on, lease.key(), mark(lease))))
        .hasMessageStartingWith("The effect is not fenced by its lease on shop.job:")
        .hasMessageContaining("- expired: the late owner was told that its effect took place")
        .hasMessageContaining("- completed: the late owner changed the state")
        .hasMessageContaining("- released:")
        .hasMessageContaining("- superseded by an owner who has written:")
        .hasMessageContaining(
            "- taken over right before step 1 of 1 (insert into \"shop\".\"effect\"")
        .hasMessageContaining("- arriving while a takeover is being committed:")
        .hasMessageContaining("Write it by Leases.finish or Leases.apply;");
  }

  /** It tells nobody, so only the state can. */
  @Test
  void effectThatIgnoresTheLeaseAndSaysItDidNothing_isCaughtByTheState() {
    assertThat(
            violations(
                (on, lease) ->
                    store(on, lease.key(), mark(lease)) && on.fetchExists(JOB, live(lease))))
        .hasMessageContaining("expired: the late owner changed the state")
        .message()
        .doesNotContain("expired: the late owner was told");
  }

  /** What the article warns of: another worker can take over between the check and the write. */
  @Test
  void checkThenWrite_isCaughtBetweenTheTwo() {
    assertThat(
            violations(
                (on, lease) ->
                    on.fetchExists(JOB, live(lease)) && store(on, lease.key(), mark(lease))))
        .hasMessageContaining("- taken over right before step 2 of 2 (insert into")
        .hasMessageContaining(
            "by an owner who has written: the late owner changed the state from [by epoch 2] to [by"
                + " epoch 1]")
        .message()
        .doesNotContain("expired:", "superseded by", "before step 1");
  }

  @Test
  void checkThenWrite_inOneTransaction_isCaughtAsWell() {
    assertThat(
            violations(
                (on, lease) ->
                    on.transactionResult(
                        tx ->
                            tx.dsl().fetchExists(JOB, live(lease))
                                && store(tx.dsl(), lease.key(), mark(lease)))))
        .hasMessageContaining("- taken over right before step 2 of 3 (insert into")
        .hasMessageContaining("- taken over right before step 3 of 3 (its commit)");
  }

  /** One statement, and yet a check: it locks nothing, so a takeover can be committed meanwhile. */
  @Test
  void checkInsideTheStatement_withoutALock_isCaughtWhileATakeoverIsBeingCommitted() {
    assertThat(
            violations(
                (on, lease) ->
                    on.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                            .select(
                                select(
                                        val(lease.key(), EFFECT.JOB_ID),
                                        val(mark(lease), EFFECT.VALUE))
                                    .where(
                                        condition(
                                            exists(selectOne().from(JOB).where(live(lease))))))
                            .onConflict(EFFECT.JOB_ID)
                            .doUpdate()
                            .set(EFFECT.VALUE, DSL.excluded(EFFECT.VALUE))
                            .execute()
                        == 1))
        .hasMessageContaining("- arriving while a takeover is being committed:")
        .message()
        .doesNotContain("expired:", "superseded by", "taken over right before");
  }

  /** The epoch alone lets an owner through whose time is up, and whoever has let go. */
  @Test
  void guardWithoutTheDeadline_isCaught() {
    assertThat(
            violations(
                (on, lease) ->
                    on.transactionResult(
                        tx ->
                            tx.dsl()
                                        .update(JOB)
                                        .set(JOB.PROGRESS, 100)
                                        .where(JOB.ID.eq(lease.key()))
                                        .and(JOB.EPOCH.eq(lease.epoch().value()))
                                        .execute()
                                    == 1
                                && store(tx.dsl(), lease.key(), mark(lease)))))
        .hasMessageContaining("- expired:")
        .hasMessageContaining("- completed:")
        .hasMessageContaining("- released:")
        .message()
        .doesNotContain("superseded by", "taken over", "arriving");
  }

  @Test
  void effectThatHarmsTheNewOwner_isCaught() {
    assertThat(
            violations(
                (on, lease) -> {
                  boolean applied =
                      LEASES.finish(on, lease, storing(mark(lease))) == EffectOutcome.APPLIED;
                  on.update(JOB)
                      .set(JOB.STATE, JobState.DONE)
                      .setNull(JOB.LEASE_UNTIL)
                      .where(JOB.ID.eq(lease.key()))
                      .execute();
                  return applied;
                }))
        .hasMessageContaining("the effect of the new owner, whose lease holds, returned false");
  }

  @Test
  void effectThatDoesNotApply_cannotBeChecked() {
    assertThat(violations((on, lease) -> on.selectOne().fetch().isEmpty()))
        .hasMessageStartingWith("The effect under leases on shop.job cannot be checked")
        .hasMessageContaining("the effect of its owner, whose lease holds, returned false");
    assertThat(violations((on, lease) -> on.selectOne().fetch().isNotEmpty()))
        .hasMessageContaining("state() is");
    assertThat(violations((on, lease) -> store(dsl, lease.key(), mark(lease))))
        .hasMessageContaining("no statement went through the given DSLContext");
    assertThat(
            violations(
                (on, lease) -> {
                  throw new java.io.IOException("no such file");
                }))
        .hasMessageContaining("threw java.io.IOException: no such file")
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
  }

  @Test
  void rowThatCannotBeClaimed_isNamed() {
    assertThatThrownBy(
            () ->
                FencedEffectCheck.on(dsl, JOBS.where(JOB.KIND.eq("other")))
                    .assertFenced((JobEffect) (on, lease) -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which cannot be claimed from shop.job");
  }

  private void check(JobEffect effect) {
    FencedEffectCheck.on(dsl, JOBS).assertFenced(effect);
  }

  private Throwable violations(JobEffect effect) {
    Throwable thrown = catchThrowable(() -> check(effect));
    assertThat(thrown).isInstanceOf(AssertionError.class);
    return thrown;
  }

  private static String mark(Lease<?> lease) {
    return "by epoch " + lease.epoch();
  }

  private static Condition live(Lease<Long> lease) {
    return JOB.ID
        .eq(lease.key())
        .and(JOB.EPOCH.eq(lease.epoch().value()))
        .and(JOB.STATE.eq(JobState.RUNNING))
        .and(JOB.LEASE_UNTIL.gt(DSL.currentOffsetDateTime()));
  }

  private static boolean store(DSLContext on, long id, String value) {
    return on.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
            .values(id, value)
            .onConflict(EFFECT.JOB_ID)
            .doUpdate()
            .set(EFFECT.VALUE, value)
            .execute()
        == 1;
  }

  /** The invoice of a delivery, by its id. */
  private static final class InvoiceOfDelivery implements EffectUnderTest<Long> {

    @Override
    public Long newRow(DSLContext dsl) {
      Fixtures.enqueue(dsl, Fixtures.message(UUID.randomUUID().toString()));
      return dsl.select(DSL.max(DELIVERY.ID)).from(DELIVERY).fetchSingle().value1();
    }

    @Override
    public boolean run(DSLContext dsl, Lease<Long> lease) {
      return LEASES.finish(
              dsl,
              lease,
              accepted ->
                  insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                      .select(
                          select(
                                  accepted.key().cast(INVOICE.ORDER_ID),
                                  val(BigDecimal.valueOf(lease.epoch().value()), INVOICE.AMOUNT))
                              .from(accepted.table())))
          == EffectOutcome.APPLIED;
    }

    @Override
    public Object state(DSLContext dsl, Long key) {
      return dsl.select(INVOICE.AMOUNT)
          .from(INVOICE)
          .where(INVOICE.ORDER_ID.eq(key.toString()))
          .fetch();
    }
  }
}

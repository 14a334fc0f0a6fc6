package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.expireJob;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fenced effect is an INSERT, an UPDATE or a DELETE, each fenced alike. */
class EffectKindsTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases WORKER = Leases.ownedBy("worker");

  /** How an effect is brought to the database. */
  private enum How {
    FINISH {
      @Override
      EffectOutcome run(DSLContext dsl, Lease<Long> lease, Effect<Long> effect) {
        return WORKER.finish(dsl, lease, effect);
      }
    },
    APPLY {
      @Override
      EffectOutcome run(DSLContext dsl, Lease<Long> lease, Effect<Long> effect) {
        return WORKER.apply(dsl, lease, effect);
      }
    };

    abstract EffectOutcome run(DSLContext dsl, Lease<Long> lease, Effect<Long> effect);

    JobState after() {
      return this == FINISH ? JobState.DONE : JobState.RUNNING;
    }
  }

  /** Effects that change rows of the application that are there already. */
  private enum Change {
    UPDATE {
      @Override
      Effect<Long> effect() {
        return accepted ->
            update(EFFECT)
                .set(EFFECT.VALUE, "new")
                .from(accepted.table())
                .where(EFFECT.JOB_ID.eq(accepted.key()));
      }

      @Override
      List<String> left() {
        return List.of("new");
      }
    },
    DELETE {
      @Override
      Effect<Long> effect() {
        return accepted ->
            deleteFrom(EFFECT).using(accepted.table()).where(EFFECT.JOB_ID.eq(accepted.key()));
      }

      @Override
      List<String> left() {
        return List.of();
      }
    };

    abstract Effect<Long> effect();

    /** What an effect that said "old" says afterwards. */
    abstract List<String> left();
  }

  private final DSLContext dsl = DB.dsl();
  private long id;
  private Lease<Long> lease;

  @BeforeEach
  void aJobIsClaimed() {
    DB.clear();
    id = Fixtures.job(dsl, "render");
    lease = only(WORKER.claimByKey(dsl, JOBS, LONG, id));
    effectOf(-1);
  }

  @ParameterizedTest
  @EnumSource
  void update_thatMeetsARow_isApplied(How how) {
    assertApplied(how, Change.UPDATE);
  }

  @ParameterizedTest
  @EnumSource
  void delete_thatMeetsARow_isApplied(How how) {
    assertApplied(how, Change.DELETE);
  }

  private void assertApplied(How how, Change change) {
    effectOf(id);

    assertThat(how.run(dsl, lease, change.effect())).isEqualTo(EffectOutcome.APPLIED);

    assertThat(valuesOf(id)).isEqualTo(change.left());
    assertThat(valuesOf(-1)).as("another job's").containsExactly("old");
    assertThat(state()).isEqualTo(how.after());
  }

  @ParameterizedTest
  @EnumSource
  void update_thatMeetsNoRow_isADuplicate(How how) {
    assertDuplicate(how, Change.UPDATE);
  }

  @ParameterizedTest
  @EnumSource
  void delete_thatMeetsNoRow_isADuplicate(How how) {
    assertDuplicate(how, Change.DELETE);
  }

  private void assertDuplicate(How how, Change change) {
    assertThat(how.run(dsl, lease, change.effect())).isEqualTo(EffectOutcome.DUPLICATE);

    assertThat(valuesOf(-1)).containsExactly("old");
    assertThat(state()).as("the lease held").isEqualTo(how.after());
  }

  @ParameterizedTest
  @EnumSource
  void update_underALostLease_isFenced(How how) {
    assertFenced(how, Change.UPDATE);
  }

  @ParameterizedTest
  @EnumSource
  void delete_underALostLease_isFenced(How how) {
    assertFenced(how, Change.DELETE);
  }

  private void assertFenced(How how, Change change) {
    effectOf(id);
    expireJob(dsl, id);
    List<String> before = ApiCall.rows(dsl);

    assertThat(how.run(dsl, lease, change.effect())).isEqualTo(EffectOutcome.FENCED);

    assertThat(ApiCall.rows(dsl)).isEqualTo(before);
  }

  /** Otherwise it would be written whoever holds the lease. */
  @ParameterizedTest
  @EnumSource
  void effectThatDoesNotReadFromTheAcceptedRow_isRefusedBeforeSql(How how) {
    effectOf(id);

    assertRefused(
        how,
        accepted -> update(EFFECT).set(EFFECT.VALUE, "loose").where(EFFECT.JOB_ID.eq(id)),
        "does not read from accepted.table()");
    assertRefused(
        how,
        accepted -> deleteFrom(EFFECT).where(EFFECT.JOB_ID.eq(id)),
        "does not read from accepted.table()");
    assertRefused(
        how,
        accepted -> insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE).values(id + 1, "loose"),
        "does not read from accepted.table()");
  }

  @ParameterizedTest
  @EnumSource
  void effectOfAnotherKind_isRefusedBeforeSql(How how) {
    String demand = "A fenced effect is an INSERT, UPDATE or DELETE of jOOQ's DSL";
    assertRefused(
        how,
        accepted -> {
          assertThat(accepted.table()).isNotNull();
          return DSL.query("delete from shop.effect");
        },
        demand);
    assertRefused(
        how,
        accepted -> {
          assertThat(accepted.table()).isNotNull();
          return DSL.truncate(EFFECT);
        },
        demand);
    assertRefused(
        how,
        accepted ->
            DSL.mergeInto(EFFECT)
                .using(accepted.table())
                .on(EFFECT.JOB_ID.eq(accepted.key()))
                .whenMatchedThenDelete(),
        demand);
  }

  private void assertRefused(How how, Effect<Long> effect, String message) {
    Statements statements = new Statements();
    List<String> before = ApiCall.rows(dsl);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> how.run(statements.listeningOn(dsl), lease, effect))
        .withMessageContaining(message)
        .withMessageContaining("Nothing was sent.");

    assertThat(statements.events()).isEmpty();
    assertThat(ApiCall.rows(dsl)).isEqualTo(before);
  }

  @Test
  void effect_thatReadsAColumnThatIsNotExposed_isRefusedBeforeSql() {
    assertRefused(
        How.FINISH,
        accepted ->
            insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                .select(select(accepted.key(), accepted.get(JOB.INPUT)).from(accepted.table())),
        "is not exposed to fenced effects");
  }

  private void effectOf(long job) {
    assertThat(
            dsl.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                .values(val(job), val("old"))
                .execute())
        .isOne();
  }

  private List<String> valuesOf(long job) {
    return dsl.select(EFFECT.VALUE).from(EFFECT).where(EFFECT.JOB_ID.eq(job)).fetch(EFFECT.VALUE);
  }

  private JobState state() {
    return dsl.fetchSingle(JOB, JOB.ID.eq(id)).getState();
  }
}

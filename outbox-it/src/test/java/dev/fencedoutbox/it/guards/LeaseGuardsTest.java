package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.guards.Guarded.JOBS;
import static dev.fencedoutbox.it.guards.Guarded.LEASES;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Verb;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each write under a lease demands: this row, this epoch, in progress, in time. */
class LeaseGuardsTest {

  private static final TestDatabase DB = Guarded.withoutConstraints();
  private static final JSONB JSON = JSONB.valueOf("{\"n\": 1}");

  private interface Writer {
    List<Boolean> write(DSLContext tx, List<Lease<Long>> leases);
  }

  /** A write under one lease, or under several at once. */
  private record Write(Guarded on, String name, int leases, Writer writer) {
    @Override
    public String toString() {
      return on + " " + name;
    }
  }

  /** What ended a lease. */
  private enum Loss {
    SUPERSEDED,
    EXPIRED,
    ENDED_BY_HAND;

    void befall(Guarded on, long id) {
      switch (this) {
        case SUPERSEDED -> on.set(DB.dsl(), id, "epoch = epoch + 1");
        case EXPIRED -> on.set(DB.dsl(), id, "lease_until = clock_timestamp()");
        case ENDED_BY_HAND -> on.set(DB.dsl(), id, "status = 'DEAD'");
      }
    }
  }

  /** A write with an effect, given by the effect. */
  private enum WithEffect {
    FINISH(Guarded.DELIVERY),
    APPLY(Guarded.DELIVERY),
    FINISH_OF_JOB(Guarded.JOB),
    APPLY_OF_JOB(Guarded.JOB),
    RESULT_OF_JOB(Guarded.JOB);

    final Guarded on;

    WithEffect(Guarded on) {
      this.on = on;
    }

    EffectOutcome write(DSLContext dsl, Lease<Long> lease, Effect<Long> effect) {
      return switch (this) {
        case FINISH, FINISH_OF_JOB -> LEASES.finish(dsl, lease, effect);
        case APPLY, APPLY_OF_JOB -> LEASES.apply(dsl, lease, effect);
        case RESULT_OF_JOB -> JOBS.finish(dsl, lease, JSON, effect);
      };
    }
  }

  private record LateWrite(Write write, Loss loss) {}

  static Stream<Write> everyWrite() {
    List<Write> all = new ArrayList<>();
    for (Verb verb : Verb.values()) {
      int leases = verb.batched() ? 2 : 1;
      Writer onDelivery = (tx, held) -> verb.write(Leased.DELIVERY_ROW, tx, held);
      if (verb.batched()) {
        all.add(new Write(Guarded.DELIVERY, verb.name() + " of one", 1, onDelivery));
        all.add(new Write(Guarded.JOB, verb.name() + " of one", 1, onDelivery));
      }
      if (verb == Verb.COMPLETE || verb == Verb.COMPLETE_ALL) {
        all.add(new Write(Guarded.DELIVERY_WITHOUT_RECEIPT, verb.name(), leases, onDelivery));
      }
      all.add(new Write(Guarded.DELIVERY, verb.name(), leases, onDelivery));
      if (verb != Verb.CHECKPOINT) { // its column is the table's own
        all.add(new Write(Guarded.JOB, verb.name(), leases, onDelivery));
      }
    }
    all.add(
        new Write(
            Guarded.DELIVERY,
            "repeated completion",
            2,
            (tx, held) ->
                accepted(
                    LEASES.repeatedCompletion(Guarded.DELIVERY.table()).completeAll(tx, held))));
    all.add(job("CHECKPOINT", 1, (tx, held) -> accepted(JOBS.checkpoint(tx, held.get(0), JSON))));
    all.add(job("result", 1, (tx, held) -> accepted(JOBS.finish(tx, held.get(0), JSON))));
    all.add(
        job(
            "results",
            2,
            (tx, held) ->
                accepted(
                    JOBS.finishAll(
                        tx, held.stream().map(one -> new Finished<>(one, JSON)).toList()))));
    all.add(
        job(
            "result with effect",
            1,
            (tx, held) ->
                List.of(
                    JOBS.finish(tx, held.get(0), JSON, ShopJobs.storing("done"))
                        == EffectOutcome.APPLIED)));
    return all.stream();
  }

  private static Write job(String name, int leases, Writer writer) {
    return new Write(Guarded.JOB, name, leases, writer);
  }

  private static List<Boolean> accepted(LeaseOutcome outcome) {
    return accepted(List.of(outcome));
  }

  private static List<Boolean> accepted(List<LeaseOutcome> outcomes) {
    return outcomes.stream().map(LeaseOutcome::accepted).toList();
  }

  static Stream<LateWrite> everyWriteAfterEveryLoss() {
    return everyWrite().flatMap(w -> Stream.of(Loss.values()).map(l -> new LateWrite(w, l)));
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @MethodSource("everyWrite")
  void write_underALease_locksAndChangesItsOwnRowAlone(Write write) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> leases = write.on().claimed(dsl, write.leases() + 2);
    List<Lease<Long>> own = leases.subList(0, write.leases());
    List<Long> others = leases.stream().skip(write.leases()).map(Lease::key).toList();
    List<String> before = others.stream().map(id -> write.on().row(dsl, id)).toList();

    dsl.transaction(
        tx -> {
          assertThat(write.writer().write(tx.dsl(), own)).containsOnly(true);
          assertThat(write.on().lockable(dsl)).isEqualTo(others);
        });

    assertThat(others.stream().map(id -> write.on().row(dsl, id))).isEqualTo(before);
    assertThat(dsl.fetchCount(EFFECT)).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("everyWriteAfterEveryLoss")
  void write_underALostLease_isRefusedAndLocksAndChangesNothing(LateWrite late) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> leases = late.write().on().claimed(dsl, late.write().leases());
    leases.forEach(lease -> late.loss().befall(late.write().on(), lease.key()));
    List<String> before = ApiCall.rows(dsl);

    List<Boolean> accepted =
        dsl.transactionResult(
            tx -> {
              List<Boolean> told = late.write().writer().write(tx.dsl(), leases);
              assertThat(late.write().on().lockable(dsl)).hasSize(leases.size());
              return told;
            });

    assertThat(accepted).hasSize(leases.size()).containsOnly(false);
    assertThat(ApiCall.rows(dsl)).isEqualTo(before);
    assertThat(LEASES.claim(dsl, late.write().on().table(), LONG, 10).buried()).isEmpty();
  }

  /** An aggregate has a row even over none. */
  @ParameterizedTest
  @EnumSource
  void effect_thatWritesThoughTheLeaseIsLost_failsAndLeavesNothing(WithEffect verb) {
    Lease<Long> lease = verb.on.claimed(DB.dsl(), 1).get(0);
    verb.on.set(DB.dsl(), lease.key(), "epoch = epoch + 1");
    List<String> before = ApiCall.rows(DB.dsl());
    Effect<Long> aggregate =
        accepted ->
            insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                .select(
                    select(val(1L, EFFECT.JOB_ID), count().cast(EFFECT.VALUE))
                        .from(accepted.table()));

    assertThatThrownBy(() -> verb.write(DB.dsl(), lease, aggregate))
        .isInstanceOf(DataAccessException.class)
        .hasMessageContaining("the effect wrote all the same; rows: 1");

    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
  }
}

package dev.fencedoutbox.it.support;

import static dev.fencedoutbox.it.support.ApiCall.expect;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.DeliveryIntent;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.NewJob;
import dev.fencedoutbox.job.RedriveOutcome;
import dev.fencedoutbox.job.SubmitOutcome;
import dev.fencedoutbox.job.Submitted;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** The calls about jobs. */
final class JobCalls {

  private static final JobKind<JSONB, JSONB, JSONB> KIND = JobKind.json("render");
  private static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(KIND);
  private static final JSONB JSON = JSONB.valueOf("{\"n\": 1}");
  private static final Leases BY = Leases.ownedBy("owner");
  private static final Operator ANN = new Operator("ann", "ticket 17");

  private JobCalls() {}

  static List<ApiCall> all() {
    List<ApiCall> calls = new ArrayList<>(submissions());
    calls.addAll(writes());
    calls.addAll(byKey());
    return calls;
  }

  private static List<ApiCall> submissions() {
    return List.of(
        call(
            "submit",
            true,
            1,
            tx -> expect(SubmitOutcome.CREATED, JOBS.submit(tx, job("new")).outcome())),
        call(
            "submit of a duplicate",
            false,
            2,
            tx -> expect(SubmitOutcome.DUPLICATE, JOBS.submit(tx, job("k0")).outcome())),
        call(
            "submitAll",
            true,
            2,
            tx ->
                expect(
                    List.of(SubmitOutcome.CREATED, SubmitOutcome.DUPLICATE, SubmitOutcome.CREATED),
                    JOBS.submitAll(tx, List.of(job("x"), job("k1"), job("y"))).stream()
                        .map(Submitted::outcome)
                        .toList())),
        call(
            "claim of jobs",
            true,
            1,
            tx -> expect(2, BY.claim(tx, JOBS.table(), LONG, 2).claimed().size())));
  }

  private static List<ApiCall> writes() {
    return List.of(
        write(
            "checkpoint",
            1,
            (tx, all) -> expect(true, JOBS.checkpoint(tx, first(all), JSON).accepted())),
        write(
            "finish of a job",
            1,
            (tx, all) -> expect(true, JOBS.finish(tx, first(all), JSON).accepted())),
        write(
            "finish of a job with effect",
            1,
            (tx, all) ->
                expect(
                    EffectOutcome.APPLIED,
                    JOBS.finish(tx, first(all), JSON, ShopJobs.storing("done")))),
        write(
            "finish of a job with intent",
            2,
            (tx, all) ->
                expect(EffectOutcome.APPLIED, JOBS.finish(tx, first(all), JSON, intent()))),
        write(
            "finish of a job with intent and effect",
            2,
            (tx, all) ->
                expect(
                    EffectOutcome.APPLIED,
                    JOBS.finish(tx, first(all), null, intent().beside(ShopJobs.storing("done"))))),
        write(
            "finishAll",
            1,
            (tx, all) ->
                expect(
                    Collections.nCopies(3, LeaseOutcome.ACCEPTED),
                    JOBS.finishAll(
                        tx, all.stream().map(lease -> new Finished<>(lease, JSON)).toList()))),
        write(
            "cancel of a job in progress",
            1,
            (tx, all) -> expect(CancelOutcome.CANCELLED, JOBS.cancel(tx, first(all).key(), "no"))));
  }

  private static List<ApiCall> byKey() {
    return List.of(
        call("find", false, 1, tx -> expect(true, JOBS.find(tx, "k0").isPresent())),
        call(
            "cancel of a job",
            true,
            1,
            tx -> expect(CancelOutcome.CANCELLED, JOBS.cancel(tx, "k0", "no"))),
        call(
            "cancel of no job",
            false,
            2,
            tx -> expect(CancelOutcome.ABSENT, JOBS.cancel(tx, "x", "no"))),
        dead("list of dead jobs", false, tx -> expect(3, JOBS.dead().list(tx, 10).size())),
        dead(
            "redrive of a job",
            true,
            tx -> expect(RedriveOutcome.REDRIVEN, JOBS.dead().redrive(tx, "k0", ANN))),
        dead("redriveAll", true, tx -> expect(3, JOBS.dead().redriveAll(tx, 10, ANN).size())));
  }

  /** On three that wait. */
  private static ApiCall call(
      String name, boolean writes, int statements, Consumer<DSLContext> call) {
    return new ApiCall(
        name,
        writes,
        statements,
        dsl -> {
          submitThree(dsl);
          return call;
        });
  }

  /** Under the leases on three. */
  private static ApiCall write(
      String name, int statements, BiConsumer<DSLContext, List<Lease<Long>>> call) {
    return new ApiCall(
        name,
        true,
        statements,
        dsl -> {
          List<Lease<Long>> claimed = claimed(dsl);
          return tx -> call.accept(tx, claimed);
        });
  }

  /** On three that are DEAD. */
  private static ApiCall dead(String name, boolean writes, Consumer<DSLContext> call) {
    return new ApiCall(
        name,
        writes,
        1,
        dsl -> {
          claimed(dsl).forEach(lease -> expect(true, BY.bury(dsl, lease, "no").accepted()));
          return call;
        });
  }

  private static List<Lease<Long>> claimed(DSLContext dsl) {
    submitThree(dsl);
    return leases(BY.claim(dsl, JOBS.table(), LONG, 3));
  }

  private static void submitThree(DSLContext dsl) {
    List<NewJob> three = IntStream.range(0, 3).mapToObj(i -> job("k" + i)).toList();
    expect(3, dsl.transactionResult(tx -> JOBS.submitAll(tx.dsl(), three)).size());
  }

  private static NewJob job(String key) {
    return KIND.job(JSON).key(key);
  }

  private static DeliveryIntent intent() {
    return DeliveryIntent.of(Outbox.create(), message("said"));
  }

  private static Lease<Long> first(List<Lease<Long>> leases) {
    return leases.get(0);
  }
}

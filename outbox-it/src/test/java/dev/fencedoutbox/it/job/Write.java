package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.support.Fixtures.message;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.job.DeliveryIntent;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;

/** Every write about a job under its lease, and what it says became of it. */
enum Write {
  RENEW(
      (by, dsl, lease) ->
          by.renew(dsl, lease, Duration.ofHours(1)) instanceof RenewOutcome.Refused<Long> refused
              ? refused.reason().name()
              : "ACCEPTED"),
  RETRY((by, dsl, lease) -> by.retry(dsl, lease, Duration.ofHours(1), "no luck").name()),
  RELEASE((by, dsl, lease) -> by.release(dsl, lease).name()),
  BURY((by, dsl, lease) -> by.bury(dsl, lease, "hopeless").name()),
  CHECKPOINT((by, dsl, lease) -> COUNTS.checkpoint(dsl, lease, 7).name()),
  FINISH((by, dsl, lease) -> COUNTS.finish(dsl, lease, 10).name()),
  FINISH_ALL(
      (by, dsl, lease) -> COUNTS.finishAll(dsl, List.of(new Finished<>(lease, 10))).get(0).name()),
  FINISH_WITH_EFFECT(
      (by, dsl, lease) -> COUNTS.finish(dsl, lease, 10, ShopJobs.storing("10")).name()),
  FINISH_WITH_INTENT((by, dsl, lease) -> intend(dsl, lease, intent())),
  FINISH_WITH_INTENT_AND_EFFECT(
      (by, dsl, lease) -> intend(dsl, lease, intent().beside(ShopJobs.storing("10"))));

  @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
  private final Call call;

  Write(Call call) {
    this.call = call;
  }

  private interface Call {
    String on(Leases by, DSLContext dsl, Lease<Long> lease);
  }

  String on(DSLContext dsl, Lease<Long> lease) {
    return call.on(Counts.A, dsl, lease);
  }

  /** How it says no. */
  String refusal(String reason) {
    return compareTo(FINISH_WITH_EFFECT) < 0 ? reason : "FENCED";
  }

  private static DeliveryIntent intent() {
    return DeliveryIntent.of(Outbox.create(), message("counted"));
  }

  private static String intend(DSLContext dsl, Lease<Long> lease, DeliveryIntent intent) {
    return dsl.transactionResult(tx -> COUNTS.finish(tx.dsl(), lease, 10, intent)).name();
  }
}

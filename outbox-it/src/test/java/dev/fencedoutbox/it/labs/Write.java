package dev.fencedoutbox.it.labs;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Every write that a lease allows. */
enum Write {
  RENEW,
  COMPLETE,
  RETRY,
  RELEASE,
  BURY,
  CHECKPOINT,
  HOLD,
  APPLY,
  FINISH;

  /** What an effect stores, and a checkpoint writes. */
  static final String LATE = "from a late worker";

  /** The name of the outcome of this write. */
  String on(DSLContext dsl, Leases leases, Lease<Long> lease, Field<String> progress) {
    return switch (this) {
      case RENEW -> outcome(leases.renew(dsl, lease, Duration.ofMinutes(10)));
      case COMPLETE -> leases.complete(dsl, lease).name();
      case RETRY -> leases.retry(dsl, lease, Duration.ofMinutes(1), LATE).name();
      case RELEASE -> leases.release(dsl, lease).name();
      case BURY -> leases.bury(dsl, lease, LATE).name();
      case CHECKPOINT -> leases.checkpoint(dsl, lease, progress, LATE).name();
      case HOLD -> dsl.transactionResult(tx -> leases.hold(tx.dsl(), lease)).name();
      case APPLY -> leases.apply(dsl, lease, ShopJobs.storing(LATE)).name();
      case FINISH -> leases.finish(dsl, lease, ShopJobs.storing(LATE)).name();
    };
  }

  private static String outcome(RenewOutcome<Long> outcome) {
    return outcome instanceof RenewOutcome.Refused<Long> refused
        ? refused.reason().name()
        : "RENEWED";
  }

  /** What this write says of a lease that was lost for that reason. */
  String refusal(String reason) {
    return this == APPLY || this == FINISH ? "FENCED" : reason;
  }

  /** What this write says of a lease that holds. */
  String acceptance() {
    return switch (this) {
      case RENEW -> "RENEWED";
      case APPLY, FINISH -> "APPLIED";
      default -> "ACCEPTED";
    };
  }
}

package dev.fencedoutbox.it.support;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jooq.DSLContext;

/** Every write under a lease, single and batched. */
public enum Verb {
  RENEW(
      (by, kind, tx, all) ->
          each(all, lease -> renewed(by.renew(tx, lease, Duration.ofMinutes(20))))),
  RENEW_ALL(
      (by, kind, tx, all) ->
          by.renewAll(tx, all, Duration.ofMinutes(20)).stream().map(Verb::renewed).toList()),
  COMPLETE((by, kind, tx, all) -> each(all, lease -> by.complete(tx, lease).accepted())),
  COMPLETE_ALL((by, kind, tx, all) -> accepted(by.completeAll(tx, all))),
  RETRY(
      (by, kind, tx, all) ->
          each(all, lease -> by.retry(tx, lease, Duration.ofHours(1), "no luck").accepted())),
  RETRY_ALL(
      (by, kind, tx, all) ->
          accepted(
              by.retryAll(
                  tx,
                  all.stream()
                      .map(lease -> new Retry<>(lease, Duration.ofHours(1), "no luck"))
                      .toList()))),
  RELEASE((by, kind, tx, all) -> each(all, lease -> by.release(tx, lease).accepted())),
  RELEASE_ALL((by, kind, tx, all) -> accepted(by.releaseAll(tx, all))),
  POSTPONE_ALL((by, kind, tx, all) -> accepted(by.postponeAll(tx, all, Duration.ofHours(1)))),
  BURY((by, kind, tx, all) -> each(all, lease -> by.bury(tx, lease, "hopeless").accepted())),
  BURY_ALL(
      (by, kind, tx, all) ->
          accepted(
              by.buryAll(tx, all.stream().map(lease -> new Burial<>(lease, "hopeless")).toList()))),
  CHECKPOINT((by, kind, tx, all) -> each(all, lease -> kind.checkpoint(by, tx, lease).accepted())),
  HOLD((by, kind, tx, all) -> each(all, lease -> by.hold(tx, lease).accepted())),
  FINISH(
      (by, kind, tx, all) ->
          each(all, lease -> applied(by.finish(tx, lease, ShopJobs.storing("done"))))),
  APPLY(
      (by, kind, tx, all) ->
          each(all, lease -> applied(by.apply(tx, lease, ShopJobs.storing("part")))));

  private static final Leases LEASES = Leases.ownedBy("owner");

  @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
  private final Write write;

  Verb(Write write) {
    this.write = write;
  }

  private interface Write {
    List<Boolean> on(Leases by, Leased kind, DSLContext tx, List<Lease<Long>> leases);
  }

  /** Writes under each lease; whether each was accepted. */
  public List<Boolean> write(Leased kind, DSLContext tx, List<Lease<Long>> leases) {
    return write.on(LEASES, kind, tx, leases);
  }

  /** Whether one call takes all leases. */
  public boolean batched() {
    return name().endsWith("_ALL");
  }

  /** Whether a refusal is followed by a second statement that reads why. */
  public boolean tellsWhy() {
    return this != FINISH && this != APPLY;
  }

  private static List<Boolean> each(List<Lease<Long>> leases, Predicate<Lease<Long>> write) {
    return leases.stream().map(write::test).toList();
  }

  private static List<Boolean> accepted(List<LeaseOutcome> outcomes) {
    return outcomes.stream().map(LeaseOutcome::accepted).toList();
  }

  private static boolean renewed(RenewOutcome<Long> outcome) {
    return outcome instanceof RenewOutcome.Renewed<Long>;
  }

  private static boolean applied(EffectOutcome outcome) {
    return outcome == EffectOutcome.APPLIED;
  }
}

package dev.fencedoutbox.relay;

import static java.util.Objects.requireNonNull;

import dev.fencedoutbox.engine.OwnTransactions;
import dev.fencedoutbox.engine.Run;
import dev.fencedoutbox.engine.Step;
import dev.fencedoutbox.engine.Trade.Intake;
import dev.fencedoutbox.engine.Tried;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.RepeatedClaim;
import dev.fencedoutbox.lease.RepeatedOrderedClaim;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Claims deliveries without an ordering key from the scan floor on, and runs of ordering keys from
 * where the walk stands, each kind in a transaction of its own. For one thread, and a second for
 * {@link #claimBeside}.
 */
final class Claimer {

  /** Keys that are met and cannot be taken are passed over by so many claims before a pause. */
  private static final int LONGEST_EMPTY_WALK = 20;

  private final OwnTransactions database;
  private final RepeatedClaim<Long, Delivery> free;
  private final RepeatedOrderedClaim<Long, Delivery> ordered;
  private final RelayOptions options;
  private final LongSupplier nanoClock;
  private final ScanFloor floor;
  private final Turns turns = new Turns();
  private String walkedTo = "";
  private int emptyWalks;
  private volatile boolean orderedGives;

  Claimer(
      OwnTransactions database,
      Leases leases,
      Outbox outbox,
      Channel channel,
      RelayOptions options,
      int attemptBudget,
      LongSupplier nanoClock) {
    this.database = database;
    this.options = options;
    this.nanoClock = nanoClock;
    ClaimTerms terms = options.terms().withAttemptBudget(attemptBudget);
    int most = options.claimBatch();
    this.free = leases.repeatedClaim(outbox.deliveries(channel), terms, most);
    this.ordered = leases.repeatedClaimInOrder(outbox.orderedDeliveries(channel), terms, most);
    // Jitter brings an idle relay's polls up to a fifth early; each of them is to sweep
    this.floor = new ScanFloor(options.pacing().sweepEvery().multipliedBy(3).dividedBy(4));
  }

  /**
   * Claims as much as that, and hands on what its first transaction brought before its second. It
   * has failed if the first did.
   */
  Tried<Step> claim(int limit, Intake<DeliveryWork> into) {
    boolean orderedFirst = turns.orderedIsFirst(nanoClock.getAsLong());
    Tried<Step> first = orderedFirst ? inOrder(limit, into) : free(limit, into);
    if (!(first instanceof Tried.Done<Step> done)) {
      return first;
    }
    int rest = limit - done.value().found();
    if (rest == 0) {
      return new Tried.Done<>(done.value().andMaybeMore(), true);
    }
    Tried<Step> second = orderedFirst ? free(rest, into) : inOrder(rest, into);
    return second instanceof Tried.Done<Step> also
        ? new Tried.Done<>(done.value().and(also.value()), true)
        : new Tried.Done<>(done.value().andMaybeMore(), true);
  }

  private Tried<Step> free(int limit, Intake<DeliveryWork> into) {
    long began = nanoClock.getAsLong();
    Tried<Claims<Long, Delivery>> tried = claimFree(floor.next(began), limit);
    if (tried instanceof Tried.Done<Claims<Long, Delivery>> done) {
      turns.freeWas(done.value().isEmpty(), began, nanoClock.getAsLong());
      floor.claimed(done.value().claimed(), isFull(done.value(), limit));
    }
    return handOn(tried, limit, into);
  }

  /**
   * Whether the last claim of deliveries without an ordering key was full, and those with one had
   * nothing to give, which would have a smaller share. Any thread may ask.
   */
  boolean leavesMuch() {
    return !orderedGives && floor.onwards() != null;
  }

  /**
   * Claims what has no ordering key and comes after the last claim, passing over what another claim
   * is taking. Keeps nothing in mind, so that a second thread may call it.
   */
  Tried<Step> claimBeside(int limit, Intake<DeliveryWork> into) {
    ScanFloor.@Nullable From from = floor.onwards();
    return from == null
        ? new Tried.Done<>(Step.NOTHING, true)
        : handOn(claimFree(from, limit), limit, into);
  }

  private Tried<Claims<Long, Delivery>> claimFree(ScanFloor.From from, int limit) {
    return database.attemptStatement(dsl -> free.claim(dsl, from.range(), from.values(), limit));
  }

  private Tried<Step> handOn(
      Tried<Claims<Long, Delivery>> tried, int limit, Intake<DeliveryWork> into) {
    if (tried instanceof Tried.Failed<Claims<Long, Delivery>> failed) {
      return new Tried.Failed<>(failed.fault());
    }
    Claims<Long, Delivery> claims = ((Tried.Done<Claims<Long, Delivery>>) tried).value();
    Step step = step(claims, isFull(claims, limit));
    into.take(step, claims.claimed().stream().map(claimed -> Run.single(work(claimed))).toList());
    return new Tried.Done<>(step, true);
  }

  private static boolean isFull(Claims<Long, Delivery> claims, int limit) {
    return claims.claimed().size() + claims.buried().size() >= limit;
  }

  private Tried<Step> inOrder(int limit, Intake<DeliveryWork> into) {
    long began = nanoClock.getAsLong();
    KeyWalk walk = new KeyWalk(walkedTo, limit, runLength(limit));
    Tried<OrderedClaims<Long, Delivery>> tried =
        options.deadHead() == DeadHeadPolicy.SKIP
            ? database.attempt(tx -> skippingDeadHeads(tx, walk))
            : database.attemptStatement(dsl -> ordered.claim(dsl, walk));
    if (tried instanceof Tried.Failed<OrderedClaims<Long, Delivery>> failed) {
      return new Tried.Failed<>(failed.fault());
    }
    OrderedClaims<Long, Delivery> claims =
        ((Tried.Done<OrderedClaims<Long, Delivery>>) tried).value();
    boolean nothing = claims.claims().isEmpty() && claims.next().atStart();
    turns.orderedWas(nothing, began, nanoClock.getAsLong());
    orderedGives = !nothing;
    Step step = step(claims.claims(), walkOn(claims));
    into.take(step, runs(claims.claims().claimed()));
    return new Tried.Done<>(step, true);
  }

  /** Where the limit is shorter, one of few lengths, since each has a text of its own. */
  private int runLength(int limit) {
    return Math.min(options.runLength(), Integer.highestOneBit(limit));
  }

  private OrderedClaims<Long, Delivery> skippingDeadHeads(DSLContext tx, KeyWalk walk) {
    OrderedClaims<Long, Delivery> claims = ordered.claim(tx, walk);
    RecordStatements.skip(
        tx, claims.claims().buried().stream().map(buried -> buried.key()).toList());
    return claims;
  }

  private static Step step(Claims<Long, Delivery> claims, boolean more) {
    List<Claimed<Long, Delivery>> claimed = claims.claimed();
    int reclaimed = (int) claimed.stream().filter(Claimed::reclaimed).count();
    return new Step(claimed.size(), reclaimed, claims.buried().size(), more);
  }

  private DeliveryWork work(Claimed<Long, Delivery> claimed) {
    return new DeliveryWork(claimed, nanoClock);
  }

  /** Rows of one key stand together. */
  private List<Run<DeliveryWork>> runs(List<Claimed<Long, Delivery>> inOrder) {
    Map<String, List<DeliveryWork>> byKey = new LinkedHashMap<>();
    for (Claimed<Long, Delivery> claimed : inOrder) {
      String key = requireNonNull(claimed.row().orderingKey());
      byKey.computeIfAbsent(key, same -> new ArrayList<>()).add(work(claimed));
    }
    return byKey.values().stream().map(Run::ordered).toList();
  }

  /** Whether the walk should go on at once. */
  private boolean walkOn(OrderedClaims<Long, Delivery> claims) {
    walkedTo = claims.next().after();
    emptyWalks = claims.claims().isEmpty() ? emptyWalks + 1 : 0;
    if (claims.next().atStart() || emptyWalks >= LONGEST_EMPTY_WALK) {
      emptyWalks = 0;
      return false;
    }
    return true;
  }
}

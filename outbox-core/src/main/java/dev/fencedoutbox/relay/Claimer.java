package dev.fencedoutbox.relay;

import static java.util.Objects.requireNonNull;

import dev.fencedoutbox.engine.OwnTransactions;
import dev.fencedoutbox.engine.Run;
import dev.fencedoutbox.engine.Step;
import dev.fencedoutbox.engine.Tried;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Claims in one transaction of its own: deliveries without an ordering key from the scan floor on,
 * and runs of ordering keys from where the walk stands. Each kind has the first choice in turn. For
 * one thread.
 */
final class Claimer {

  /** Keys that are met and cannot be taken are passed over by so many claims before a pause. */
  private static final int LONGEST_EMPTY_WALK = 20;

  private record Brought(
      Claims<Long, Delivery> free, int freeLimit, @Nullable OrderedClaims<Long, Delivery> ordered) {

    boolean isFreeFull() {
      return free.claimed().size() + free.buried().size() >= freeLimit;
    }

    List<Claimed<Long, Delivery>> inOrder() {
      return ordered == null ? List.of() : ordered.claims().claimed();
    }
  }

  private static final Claims<Long, Delivery> NOTHING = new Claims<>(List.of(), List.of());

  private final OwnTransactions database;
  private final Leases leases;
  private final LeaseTable<Long, Delivery> free;
  private final OrderedTable<Long, Delivery> ordered;
  private final ClaimTerms terms;
  private final RelayOptions options;
  private final LongSupplier nanoClock;
  private final ScanFloor floor;
  private String walkedTo = "";
  private int emptyWalks;
  private boolean orderedFirst;

  Claimer(
      OwnTransactions database,
      Leases leases,
      Outbox outbox,
      Channel channel,
      RelayOptions options,
      int attemptBudget,
      LongSupplier nanoClock) {
    this.database = database;
    this.leases = leases;
    this.free = outbox.deliveries(channel);
    this.ordered = outbox.orderedDeliveries(channel);
    this.options = options;
    this.terms = options.terms().withAttemptBudget(attemptBudget);
    this.nanoClock = nanoClock;
    // Jitter brings an idle relay's polls up to a fifth early; each of them is to sweep
    this.floor = new ScanFloor(options.pacing().sweepEvery().multipliedBy(3).dividedBy(4));
  }

  /** Claims as much as that; the runs are in {@code into} when it is committed. */
  Tried<Step> claim(int limit, List<Run<DeliveryWork>> into) {
    Condition from = floor.next(nanoClock.getAsLong());
    boolean orderedNow = orderedFirst;
    orderedFirst = !orderedFirst;
    Tried<Brought> tried =
        database.attempt(
            tx -> orderedNow ? orderedThenFree(tx, from, limit) : freeThenOrdered(tx, from, limit));
    if (tried instanceof Tried.Failed<Brought> failed) {
      return new Tried.Failed<>(failed.fault());
    }
    return new Tried.Done<>(take(((Tried.Done<Brought>) tried).value(), into), true);
  }

  private Brought freeThenOrdered(DSLContext tx, Condition from, int limit) {
    Claims<Long, Delivery> first = leases.claim(tx, free.where(from), terms, limit);
    int rest = limit - first.claimed().size();
    return new Brought(first, limit, rest == 0 ? null : inOrder(tx, rest));
  }

  private Brought orderedThenFree(DSLContext tx, Condition from, int limit) {
    OrderedClaims<Long, Delivery> first = inOrder(tx, limit);
    int rest = limit - first.claims().claimed().size();
    return rest == 0
        ? new Brought(NOTHING, 0, first)
        : new Brought(leases.claim(tx, free.where(from), terms, rest), rest, first);
  }

  private OrderedClaims<Long, Delivery> inOrder(DSLContext tx, int limit) {
    KeyWalk walk = new KeyWalk(walkedTo, limit, Math.min(options.runLength(), limit));
    OrderedClaims<Long, Delivery> claims = leases.claimInOrder(tx, ordered, terms, walk);
    if (options.deadHead() == DeadHeadPolicy.SKIP) {
      RecordStatements.skip(
          tx, claims.claims().buried().stream().map(buried -> buried.key()).toList());
    }
    return claims;
  }

  private Step take(Brought brought, List<Run<DeliveryWork>> into) {
    List<Claimed<Long, Delivery>> inOrder = brought.inOrder();
    if (brought.freeLimit() > 0) {
      floor.claimed(brought.free().claimed(), brought.isFreeFull());
    }
    boolean walkGoesOn = walkOn(brought.ordered());
    List<Claimed<Long, Delivery>> free = brought.free().claimed();
    free.forEach(claimed -> into.add(Run.single(work(claimed))));
    into.addAll(runs(inOrder));
    return new Step(
        free.size() + inOrder.size(),
        (int) Stream.concat(free.stream(), inOrder.stream()).filter(Claimed::reclaimed).count(),
        buried(brought),
        brought.freeLimit() == 0 || brought.isFreeFull() || walkGoesOn);
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

  private static int buried(Brought brought) {
    int free = brought.free().buried().size();
    return brought.ordered() == null ? free : free + brought.ordered().claims().buried().size();
  }

  /** Whether the walk should go on at once. */
  private boolean walkOn(@Nullable OrderedClaims<Long, Delivery> claims) {
    if (claims == null) {
      return true;
    }
    walkedTo = claims.next().after();
    emptyWalks = claims.claims().isEmpty() ? emptyWalks + 1 : 0;
    if (claims.next().atStart() || emptyWalks >= LONGEST_EMPTY_WALK) {
      emptyWalks = 0;
      return false;
    }
    return true;
  }
}

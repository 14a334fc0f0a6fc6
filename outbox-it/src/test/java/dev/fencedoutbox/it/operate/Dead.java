package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;

import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/** Deliveries on the default channel, claimed and ended one way or the other. */
final class Dead {

  static final Leases LEASES = Leases.ownedBy("operated");

  private Dead() {}

  /** Enqueues, claims and buries them; they must be the only claimable ones. */
  static List<Long> buried(DSLContext dsl, Message... messages) {
    enqueue(dsl, messages);
    return claimed(dsl).stream()
        .map(
            claim -> {
              accepted(LEASES.bury(dsl, claim.lease(), "hopeless"));
              return claim.lease().key();
            })
        .sorted()
        .toList();
  }

  /** Enqueues, claims and completes them; they must be the only claimable ones. */
  static List<Long> sent(DSLContext dsl, Message... messages) {
    enqueue(dsl, messages);
    return completed(dsl);
  }

  /** Claims and completes what is claimable. */
  static List<Long> completed(DSLContext dsl) {
    return claimed(dsl).stream()
        .map(
            claim -> {
              accepted(LEASES.complete(dsl, claim.lease()));
              return claim.lease().key();
            })
        .sorted()
        .toList();
  }

  /** All that is claimable, with and without a key. */
  static List<Claimed<Long, Delivery>> claimed(DSLContext dsl) {
    Outbox outbox = Outbox.create();
    List<Claimed<Long, Delivery>> all =
        new ArrayList<>(
            LEASES.claim(dsl, outbox.deliveries(Channel.DEFAULT), LONG, 10_000).claimed());
    all.addAll(
        LEASES
            .claimInOrder(dsl, outbox.orderedDeliveries(Channel.DEFAULT), LONG, KeyWalk.of(10_000))
            .claims()
            .claimed());
    return all;
  }

  /** The events of what is claimable, in the order in which it is claimed. */
  static List<String> claimedEvents(DSLContext dsl) {
    return claimed(dsl).stream().map(claim -> claim.row().eventId()).toList();
  }

  /** The one delivery of an event. */
  static long deliveryOf(DSLContext dsl, String eventId) {
    return dsl.select(DELIVERY.ID)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(eventId))
        .fetchSingle()
        .value1();
  }

  private static void accepted(LeaseOutcome outcome) {
    if (!outcome.accepted()) {
      throw new AssertionError(outcome);
    }
  }
}

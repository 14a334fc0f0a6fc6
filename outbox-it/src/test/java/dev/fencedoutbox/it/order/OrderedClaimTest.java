package dev.fencedoutbox.it.order;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE_STATUS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an ordered claim takes, and what it leaves alone. */
class OrderedClaimTest {

  private static final TestDatabase DB = TestDatabase.create();
  static final Leases LEASES = Leases.ownedBy("order");
  private static final OrderedTable<Long, Delivery> ORDERED =
      Outbox.create().orderedDeliveries(Channel.DEFAULT);
  private static final KeyWalk WALK = KeyWalk.of(100);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void claimInOrder_takesTheRunOfEachKeyInEnqueueOrder() {
    say("b1", "a1", "b2", "a2", "a3");
    assertThat(events(claim(WALK))).containsExactly("a1", "a2", "a3", "b1", "b2");
  }

  @Test
  void claimInOrder_withRunLength_takesNoMoreOfOneKey() {
    say("a1", "a2", "a3", "b1");
    assertThat(events(claim(WALK.withRunLength(2)))).containsExactly("a1", "a2", "b1");
  }

  @Test
  void claimInOrder_whileHeadIsLeased_takesNothingOfItsKey() {
    say("a1", "a2", "b1");
    claim(WALK.withRunLength(1));
    assertThat(events(claim(WALK))).isEmpty();
  }

  @Test
  void claimInOrder_afterHeadIsCompleted_goesOnWithTheNext() {
    say("a1", "a2");
    assertThat(LEASES.complete(DB.dsl(), leases(claim(WALK.withRunLength(1))).get(0)))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(events(claim(WALK))).containsExactly("a2");
  }

  @Test
  void claimInOrder_whileHeadBacksOff_blocksItsKeyAlone() {
    say("a1", "a2", "b1");
    Lease<Long> head = leases(claim(WALK.withRunLength(1))).get(0);
    assertThat(LEASES.retry(DB.dsl(), head, Duration.ofMinutes(10), "later"))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    say("c1");
    assertThat(events(claim(WALK))).containsExactly("c1");
  }

  @Test
  void claimInOrder_whileHeadIsDead_blocksItsKey() {
    say("a1", "a2");
    Lease<Long> head = leases(claim(WALK.withRunLength(1))).get(0);
    assertThat(LEASES.bury(DB.dsl(), head, "no")).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(events(claim(WALK))).isEmpty();
  }

  @Test
  void claimInOrder_ofRowThatWasAttempted_takesItAlone() {
    say("a1", "a2", "a3");
    Lease<Long> head = leases(claim(WALK.withRunLength(1))).get(0);
    expireDelivery(DB.dsl(), head.key());
    assertThat(events(claim(WALK))).containsExactly("a1");
  }

  @Test
  void claimInOrder_tellsAReclaimedHead_fromTheFreshOnes() {
    say("a1", "a2", "b1");
    Lease<Long> head = leases(claim(WALK.withRunLength(1))).get(0);
    expireDelivery(DB.dsl(), head.key());
    assertThat(claim(WALK).claims().claimed())
        .extracting(claimed -> claimed.row().eventId() + " " + claimed.reclaimed())
        .containsExactly("a1 true");
    say("c1", "c2");
    assertThat(claim(WALK).claims().claimed()).noneMatch(Claimed::reclaimed).hasSize(2);
  }

  @Test
  void claimInOrder_ofSpentHead_buriesItLoudlyAndBlocksItsKey() {
    say("a1", "a2");
    Lease<Long> head = leases(claim(WALK.withRunLength(1))).get(0);
    expireDelivery(DB.dsl(), head.key());
    try (LogLines log = LogLines.of(Leases.class.getName(), Level.ERROR)) {
      OrderedClaims<Long, Delivery> claims =
          claim(DB.dsl(), ORDERED, LONG.withAttemptBudget(1), WALK);
      assertThat(claims.claims().claimed()).isEmpty();
      assertThat(claims.claims().buried()).extracting("key").containsExactly(head.key());
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith("Buried outbox.delivery " + head.key() + " after 1 attempts; it is DEAD")
          .contains("Reason: The attempt budget of 1 is used up.");
    }
    assertThat(events(claim(WALK))).isEmpty();
  }

  @Test
  void claimInOrder_withRowLockedByAnother_endsTheRunBeforeIt() throws SQLException {
    say("a1", "a2", "a3");
    try (Connection other = DB.connect()) {
      other.setAutoCommit(false);
      TestDatabase.on(other)
          .selectFrom(DELIVERY)
          .where(DELIVERY.ID.eq(idOf("a2")))
          .forUpdate()
          .fetchSingle();
      assertThat(events(claim(WALK))).containsExactly("a1");
      other.rollback();
    }
  }

  /**
   * The middle of a run comes back first: nothing of the key is claimed before its head is done.
   */
  @Test
  void claimInOrder_whenAMiddleRowIsReleased_waitsForTheHead() {
    say("a1", "a2", "a3");
    List<Lease<Long>> run = leases(claim(WALK));
    assertThat(LEASES.release(DB.dsl(), run.get(1))).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(events(claim(WALK))).isEmpty();
  }

  @Test
  void claimInOrder_goesRoundTheKeysAndStartsAgain() {
    say("a1", "b1", "c1");
    KeyWalk walk = KeyWalk.of(2);
    List<String> met = new ArrayList<>();
    OrderedClaims<Long, Delivery> first = claim(walk);
    met.addAll(events(first));
    assertThat(first.next().after()).isEqualTo("b");
    OrderedClaims<Long, Delivery> second = claim(first.next());
    met.addAll(events(second));
    assertThat(second.next().atStart()).isTrue();
    assertThat(met).containsExactly("a1", "b1", "c1");
  }

  @Test
  void claimInOrder_pastBlockedKeys_goesOnFromTheLastItMet() {
    say("a1", "b1", "c1");
    claim(KeyWalk.of(2));
    OrderedClaims<Long, Delivery> blocked = claim(KeyWalk.of(2));
    assertThat(events(blocked)).isEmpty();
    assertThat(events(claim(blocked.next()))).containsExactly("c1");
  }

  @Test
  void claimInOrder_leavesOtherChannelsAndUnkeyedRowsAlone() {
    enqueue(DB.dsl(), message("plain"), message("far").orderingKey("a").channel("elsewhere"));
    say("a1");
    assertThat(events(claim(WALK))).containsExactly("a1");
  }

  @Test
  void claimInOrder_ofAKeyWhoseHeadIsLeasedOnAnotherChannel_isNotHeldUp() {
    OrderedTable<Long, Delivery> elsewhere =
        Outbox.create().orderedDeliveries(Channel.of("elsewhere"));
    enqueue(DB.dsl(), message("far").orderingKey("a").channel("elsewhere"));
    say("a1");
    assertThat(events(claim(DB.dsl(), elsewhere, LONG, WALK))).containsExactly("far");

    assertThat(events(claim(WALK))).containsExactly("a1");
  }

  @Test
  void claimInOrder_walksNoKeyOfAnotherChannel() {
    enqueue(DB.dsl(), message("far").orderingKey("a").channel("elsewhere"));
    say("b1");

    assertThat(events(claim(KeyWalk.of(1)))).containsExactly("b1");
  }

  @Test
  void claimInOrder_ofARunAcrossRowsOfAnotherChannel_leavesThemOut() {
    say("a1");
    enqueue(DB.dsl(), message("far").orderingKey("a").channel("elsewhere"));
    say("a2");

    assertThat(events(claim(WALK))).containsExactly("a1", "a2");
  }

  @Test
  void claimInOrder_withAnAttemptedRowBehindFreshOnes_endsTheRunBeforeItAndThenTakesItAlone() {
    say("a1", "a2", "a3");
    List<Lease<Long>> run = leases(claim(WALK));
    assertThat(LEASES.releaseAll(DB.dsl(), List.of(run.get(0), run.get(2))))
        .containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(LEASES.retry(DB.dsl(), run.get(1), Duration.ZERO, "no"))
        .isEqualTo(LeaseOutcome.ACCEPTED);

    OrderedClaims<Long, Delivery> fresh = claim(WALK);
    assertThat(events(fresh)).containsExactly("a1");
    assertThat(LEASES.complete(DB.dsl(), leases(fresh).get(0))).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(events(claim(WALK))).containsExactly("a2");
  }

  /** Each event's id starts with its key. */
  private static void say(String... eventIds) {
    for (String eventId : eventIds) {
      enqueue(DB.dsl(), message(eventId).orderingKey(eventId.substring(0, 1)));
    }
  }

  private static long idOf(String eventId) {
    return DB.dsl()
        .select(MESSAGE_STATUS.DELIVERY_ID)
        .from(MESSAGE_STATUS)
        .where(MESSAGE_STATUS.EVENT_ID.eq(eventId))
        .fetchSingle()
        .value1();
  }

  /** The claim under test. */
  OrderedClaims<Long, Delivery> claim(
      DSLContext dsl, OrderedTable<Long, Delivery> table, ClaimTerms terms, KeyWalk walk) {
    return LEASES.claimInOrder(dsl, table, terms, walk);
  }

  private OrderedClaims<Long, Delivery> claim(KeyWalk walk) {
    return claim(DB.dsl(), ORDERED, LONG, walk);
  }

  private static List<String> events(OrderedClaims<Long, Delivery> claims) {
    return claims.claims().claimed().stream().map(claim -> claim.row().eventId()).toList();
  }

  private static List<Lease<Long>> leases(OrderedClaims<Long, Delivery> claims) {
    return claims.claims().claimed().stream().map(Claimed::lease).toList();
  }
}

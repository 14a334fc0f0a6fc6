package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.buried;
import static dev.fencedoutbox.it.operate.Dead.claimed;
import static dev.fencedoutbox.it.operate.Dead.claimedEvents;
import static dev.fencedoutbox.it.operate.Dead.deliveryOf;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.DeadLetter;
import dev.fencedoutbox.operate.DeadLetter.Standing;
import dev.fencedoutbox.operate.DeadLetterPage;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each action does to DEAD deliveries, and what it leaves alone. */
class DeadLettersTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final Topic<JSONB> OTHER =
      Topic.json("other", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void list_tellsWhatADeliveryIsAndWhyItWasGivenUp() {
    long id = buried(DB.dsl(), message("e1").orderingKey("k")).get(0);

    DeadLetter letter = DEAD.list(DB.dsl(), DeadLetterPage.oldestFirst(10)).get(0);

    OffsetDateTime enqueuedAt =
        DB.dsl().select(MESSAGE.CREATED_AT).from(MESSAGE).fetchSingle().value1();
    assertThat(letter)
        .isEqualTo(
            new DeadLetter(
                id, "e1", "plain", "k", Standing.BLOCKING, 1, 1, "hopeless", enqueuedAt));
  }

  @Test
  void list_tellsWhoIsAloneBlocksOrWasSkipped() {
    List<Long> ids =
        buried(
            DB.dsl(), message("a"), message("b").orderingKey("k"), message("c").orderingKey("l"));
    assertThat(DEAD.skip(DB.dsl(), Selection.delivery(ids.get(2)), ANN)).hasSize(1);

    assertThat(DEAD.list(DB.dsl(), DeadLetterPage.oldestFirst(10)))
        .extracting(DeadLetter::standing)
        .containsExactly(Standing.ALONE, Standing.BLOCKING, Standing.SKIPPED);
  }

  @Test
  void list_pageByPage_bringsEachOnceInBothDirections() {
    List<Long> ids = buried(DB.dsl(), messages(7));

    assertThat(pages(DeadLetterPage.oldestFirst(3))).isEqualTo(ids);
    assertThat(pages(DeadLetterPage.newestFirst(3)))
        .isEqualTo(ids.stream().sorted(java.util.Comparator.reverseOrder()).toList());
  }

  private static List<Long> pages(DeadLetterPage first) {
    List<Long> seen = new java.util.ArrayList<>();
    List<DeadLetter> page = DEAD.list(DB.dsl(), first);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      page.forEach(letter -> seen.add(letter.deliveryId()));
      page = DEAD.list(DB.dsl(), first.after(page.get(page.size() - 1)));
    }
    return seen;
  }

  @Test
  void list_leavesOtherChannelsAndLiveDeliveriesOut() {
    buriedOn("elsewhere");
    enqueue(DB.dsl(), message("ready"));
    assertThat(claimed(DB.dsl())).hasSize(1);
    enqueue(DB.dsl(), message("waiting"));

    assertThat(DEAD.list(DB.dsl(), DeadLetterPage.oldestFirst(10))).isEmpty();
  }

  // Case 34
  @Test
  void redrive_makesClaimableWithAFreshBudgetAndAHigherEpochThanAnyBefore() {
    enqueue(DB.dsl(), message("e1"));
    long id = claimed(DB.dsl()).get(0).lease().key();
    expireDelivery(DB.dsl(), id);
    var second = claimed(DB.dsl()).get(0).lease();
    assertThat(Dead.LEASES.bury(DB.dsl(), second, "no").accepted()).isTrue();

    assertThat(DEAD.redrive(DB.dsl(), Selection.delivery(id), ANN))
        .containsExactly(new Changed(id, "e1", "plain", null));

    Claims<Long, Delivery> claims =
        Dead.LEASES.claim(
            DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG.withAttemptBudget(1), 10);
    assertThat(claims.buried()).isEmpty();
    assertThat(claims.claimed().get(0).lease().epoch().value()).isEqualTo(3);
    assertThat(claims.claimed().get(0).lease().attempts()).isEqualTo(1);
  }

  @Test
  void redrive_writesDownWhoWhyAndWhatWasThere() {
    long id = buried(DB.dsl(), message("e1")).get(0);

    assertThat(DEAD.redrive(DB.dsl(), Selection.all(), ANN)).hasSize(1);

    var row = DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle();
    assertThat(row.getVerb()).isEqualTo(OperatorVerb.REDRIVE);
    assertThat(List.of(row.getWho(), row.getWhy())).containsExactly("ann", "ticket 17");
    assertThat(List.of(row.getEventId(), row.getTopic(), row.getChannel()))
        .containsExactly("e1", "plain", "default");
    assertThat(row.getDeliveryId()).isEqualTo(id);
    assertThat(row.getNewDeliveryId()).isNull();
    assertThat(row.getEpoch()).isEqualTo(1);
    assertThat(row.getAttempts()).isEqualTo(1);
    assertThat(row.getLastError()).isEqualTo("hopeless");
    assertThat(row.getMessageId())
        .isEqualTo(DB.dsl().select(MESSAGE.ID).from(MESSAGE).fetchSingle().value1());
  }

  @Test
  void redrive_ofTopic_leavesOthersDead() {
    buried(DB.dsl(), message("a"), OTHER.message(JSONB.valueOf("1")).eventId("b"), message("c"));

    assertThat(DEAD.redrive(DB.dsl(), Selection.topic("other"), ANN))
        .extracting(Changed::eventId)
        .containsExactly("b");
    assertThat(claimedEvents(DB.dsl())).containsExactly("b");
  }

  @Test
  void redrive_upTo_takesTheOldestAndGoesOnWithTheNext() {
    buried(DB.dsl(), messages(5));
    Selection two = Selection.all().upTo(2);

    assertThat(redriven(two)).containsExactly("m0", "m1");
    assertThat(redriven(two)).containsExactly("m2", "m3");
    assertThat(redriven(two)).containsExactly("m4");
    assertThat(redriven(two)).isEmpty();
  }

  private static List<String> redriven(Selection selection) {
    return DEAD.redrive(DB.dsl(), selection, ANN).stream().map(Changed::eventId).toList();
  }

  @Test
  void redrive_spreadOver_makesThemDueEvenlyOneAfterTheOther() {
    buried(DB.dsl(), messages(5));

    assertThat(DEAD.spreadOver(Duration.ofMinutes(50)).redrive(DB.dsl(), Selection.all(), ANN))
        .hasSize(5);

    List<OffsetDateTime> due =
        DB.dsl()
            .select(DELIVERY.NEXT_ATTEMPT_AT)
            .from(DELIVERY)
            .orderBy(DELIVERY.ID)
            .fetch(DELIVERY.NEXT_ATTEMPT_AT);
    assertThat(IntStream.range(1, 5).mapToObj(i -> Duration.between(due.get(i - 1), due.get(i))))
        .allSatisfy(
            gap -> assertThat(gap).isCloseTo(Duration.ofMinutes(10), Duration.ofSeconds(30)));
    assertThat(claimedEvents(DB.dsl())).as("due at once").containsExactly("m0");
  }

  @Test
  void actions_onWhatIsNotDead_changeNothing() {
    enqueue(DB.dsl(), message("leased").orderingKey("k"));
    assertThat(claimed(DB.dsl())).hasSize(1);
    enqueue(DB.dsl(), message("ready"));
    buriedOn("elsewhere");
    long leased = deliveryOf(DB.dsl(), "leased");
    List<String> before = ApiCall.rows(DB.dsl());

    for (Selection selection :
        List.of(
            Selection.all(),
            Selection.topic("plain"),
            Selection.delivery(leased),
            Selection.delivery(Long.MAX_VALUE))) {
      assertThat(DEAD.redrive(DB.dsl(), selection, ANN)).isEmpty();
      assertThat(DEAD.discard(DB.dsl(), selection, ANN)).isEmpty();
      assertThat(DEAD.skip(DB.dsl(), selection, ANN)).isEmpty();
    }

    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
  }

  @Test
  void redrive_ofABlockingHead_letsItsKeyGoOnFromIt() {
    buried(DB.dsl(), message("k1").orderingKey("k"));
    enqueue(DB.dsl(), message("k2").orderingKey("k"));
    assertThat(claimedEvents(DB.dsl())).isEmpty();

    assertThat(redriven(Selection.all())).containsExactly("k1");

    assertThat(claimedEvents(DB.dsl())).containsExactly("k1", "k2");
  }

  @Test
  void discard_removesTheDeliveryAndKeepsItsMessage_andItsKeyGoesOn() {
    long id = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);
    enqueue(DB.dsl(), message("k2").orderingKey("k"));

    assertThat(DEAD.discard(DB.dsl(), Selection.delivery(id), ANN))
        .containsExactly(new Changed(id, "k1", "plain", null));

    assertThat(DB.dsl().fetchCount(MESSAGE)).isEqualTo(2);
    assertThat(claimedEvents(DB.dsl())).containsExactly("k2");
    assertThat(DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle().getVerb())
        .isEqualTo(OperatorVerb.DISCARD);
  }

  @Test
  void skip_takesTheHeadOutOfItsKeyAndLeavesItDead() {
    long id = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);
    enqueue(DB.dsl(), message("k2").orderingKey("k"));

    assertThat(DEAD.skip(DB.dsl(), Selection.delivery(id), ANN))
        .containsExactly(new Changed(id, "k1", "plain", null));

    assertThat(claimedEvents(DB.dsl())).containsExactly("k2");
    var row = DB.dsl().selectFrom(DELIVERY).where(DELIVERY.ID.eq(id)).fetchSingle();
    assertThat(row.getStatus()).isEqualTo(DeliveryStatus.DEAD);
    assertThat(row.getOrderingKey()).isNull();
    assertThat(DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle().getVerb())
        .isEqualTo(OperatorVerb.SKIP);
  }

  @Test
  void skip_ofWhatHasNoKeyOrWasSkippedBefore_changesNothing() {
    buried(DB.dsl(), message("a"), message("b").orderingKey("k"));

    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN))
        .extracting(Changed::eventId)
        .containsExactly("b");
    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN)).isEmpty();
  }

  /** Lab I15: in place, a smaller id would come back into a key that has gone on. */
  @Test
  void redrive_ofASkipped_putsANewDeliveryAtTheTailOfItsKey() {
    long old = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);
    enqueue(DB.dsl(), message("k2").orderingKey("k"));
    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN)).hasSize(1);

    List<Changed> redriven = DEAD.redrive(DB.dsl(), Selection.delivery(old), ANN);

    long fresh = Objects.requireNonNull(redriven.get(0).newDeliveryId());
    assertThat(redriven).containsExactly(new Changed(old, "k1", "plain", fresh));
    assertThat(fresh).isGreaterThan(deliveryOf(DB.dsl(), "k2"));
    assertThat(deliveryOf(DB.dsl(), "k1")).isEqualTo(fresh);
    assertThat(claimedEvents(DB.dsl())).containsExactly("k2", "k1");
    assertThat(
            DB.dsl()
                .selectFrom(OPERATOR_ACTION)
                .where(OPERATOR_ACTION.VERB.eq(OperatorVerb.REDRIVE))
                .fetchSingle()
                .getNewDeliveryId())
        .isEqualTo(fresh);
  }

  @Test
  void redrive_ofAll_takesBothKindsWithinOneBound() {
    buried(
        DB.dsl(),
        message("a"),
        message("k1").orderingKey("k"),
        message("l1").orderingKey("l"),
        message("m1").orderingKey("m"));
    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN)).hasSize(3);

    assertThat(redriven(Selection.all().upTo(3))).containsExactly("a", "k1", "l1");
    assertThat(redriven(Selection.all().upTo(3))).containsExactly("m1");
  }

  private static void buriedOn(String channel) {
    enqueue(DB.dsl(), message("far").channel(channel));
    var lease =
        Dead.LEASES
            .claim(DB.dsl(), Outbox.create().deliveries(Channel.of(channel)), LONG, 1)
            .claimed()
            .get(0)
            .lease();
    assertThat(Dead.LEASES.bury(DB.dsl(), lease, "no").accepted()).isTrue();
  }

  private static Message[] messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> PLAIN.message(JSONB.valueOf("1")).eventId("m" + i))
        .toArray(Message[]::new);
  }
}

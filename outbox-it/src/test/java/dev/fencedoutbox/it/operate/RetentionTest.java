package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.buried;
import static dev.fencedoutbox.it.operate.Dead.sent;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.InboxWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Purged;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a purge removes, and what it leaves alone. */
class RetentionTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Retention MONTH = Retention.olderThan(Duration.ofDays(30));

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Case 32
  @Test
  void purgeMessages_besidePendingLeasedRetryingAndDead_removesOldFinishedOnesAlone() {
    sent(DB.dsl(), message("finished"), message("finished in order").orderingKey("k"));
    completedWithoutReceipt("finished without receipt");
    buried(DB.dsl(), message("dead"));
    enqueue(DB.dsl(), message("retrying"));
    var lease = Dead.claimed(DB.dsl()).get(0).lease();
    assertThat(Dead.LEASES.retry(DB.dsl(), lease, Duration.ofHours(1), "later").accepted())
        .isTrue();
    enqueue(DB.dsl(), message("leased"));
    assertThat(Dead.claimed(DB.dsl())).hasSize(1);
    enqueue(DB.dsl(), message("pending"), message("pending in order").orderingKey("k"));
    age("message", "created_at", 31);
    age("receipt", "delivered_at", 31);
    sentAlone("finished lately");

    assertThat(purged()).isEqualTo(3);

    assertThat(events())
        .containsExactlyInAnyOrder(
            "dead", "retrying", "leased", "pending", "pending in order", "finished lately");
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(5);
    assertThat(DB.dsl().fetchCount(RECEIPT)).isEqualTo(1);
  }

  @Test
  void purgeMessages_ofAMessageThatIsStillToBeDeliveredElsewhere_keepsItAndItsReceipt() {
    enqueue(DB.dsl(), message("both").channels(Channel.DEFAULT, Channel.of("elsewhere")));
    assertThat(Dead.completed(DB.dsl())).hasSize(1);
    age("message", "created_at", 31);
    age("receipt", "delivered_at", 31);

    assertThat(purged()).isZero();

    assertThat(DB.dsl().fetchCount(RECEIPT)).isEqualTo(1);
  }

  /** Its event id has to deduplicate from its delivery on. */
  @Test
  void purgeMessages_ofAMessageThatWaitedLongAndWasDeliveredLately_keepsIt() {
    sent(DB.dsl(), message("late"));
    age("message", "created_at", 31);

    assertThat(purged()).isZero();
  }

  @Test
  void purgeMessages_looksAtSoManyRowsABatchAndGoesRound() {
    buried(DB.dsl(), message("dead"));
    sent(DB.dsl(), numbered(4));
    age("message", "created_at", 31);
    age("receipt", "delivered_at", 31);

    assertThat(
            onceRound(IdWalk.of(2), walk -> MONTH.purgeMessages(DB.dsl(), walk), IdWalk::atStart))
        .containsExactly(1, 2, 1);
    assertThat(events()).containsExactly("dead");
  }

  @Test
  void purgeMessages_afterABatchWithoutOldOnes_startsAgain() {
    sent(DB.dsl(), numbered(6));

    Purged<IdWalk> purged = MONTH.purgeMessages(DB.dsl(), IdWalk.of(2));

    assertThat(purged).isEqualTo(new Purged<>(0, IdWalk.of(2)));
  }

  @Test
  void purgeInbox_removesOldRowsOfAllConsumersBatchByBatch() {
    for (String consumer : List.of("a", "b", "c")) {
      for (int i = 0; i < 3; i++) {
        DB.dsl()
            .insertInto(INBOX, INBOX.CONSUMER, INBOX.EVENT_ID)
            .values(consumer, "e" + i)
            .execute();
      }
    }
    age("inbox", "received_at", 31);
    DB.dsl().execute("update outbox.inbox set received_at = now() where event_id = 'e1'");

    assertThat(
            onceRound(
                InboxWalk.of(4), walk -> MONTH.purgeInbox(DB.dsl(), walk), InboxWalk::atStart))
        .containsExactly(3, 2, 1);
    assertThat(DB.dsl().selectFrom(INBOX).fetch(INBOX.EVENT_ID)).containsOnly("e1").hasSize(3);
  }

  @Test
  void purgeOperatorActions_removesOldOnes() {
    buried(DB.dsl(), message("a"), message("b"));
    DeadLetters dead = DeadLetters.on(Channel.DEFAULT);
    Operator ann = new Operator("ann", "why");
    assertThat(dead.discard(DB.dsl(), Selection.all().upTo(1), ann)).hasSize(1);
    age("operator_action", "acted_at", 31);
    assertThat(dead.discard(DB.dsl(), Selection.all(), ann)).hasSize(1);

    assertThat(MONTH.purgeOperatorActions(DB.dsl(), IdWalk.of(10)))
        .isEqualTo(new Purged<>(1, IdWalk.of(10)));
    assertThat(DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle().getEventId()).isEqualTo("b");
  }

  @Test
  void purgeOperatorActions_looksAtSoManyRowsABatchAndGoesRound() {
    discarded(5);
    age("operator_action", "acted_at", 31);
    DB.dsl().execute("update outbox.operator_action set acted_at = now() where event_id = 'm0'");

    assertThat(
            onceRound(
                IdWalk.of(2), walk -> MONTH.purgeOperatorActions(DB.dsl(), walk), IdWalk::atStart))
        .containsExactly(1, 2, 1);
    assertThat(DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle().getEventId()).isEqualTo("m0");
  }

  @Test
  void purgeOperatorActions_afterABatchWithoutOldOnes_startsAgain() {
    discarded(3);

    assertThat(MONTH.purgeOperatorActions(DB.dsl(), IdWalk.of(2)))
        .isEqualTo(new Purged<>(0, IdWalk.of(2)));
  }

  /** How many rows each batch removed until the walk stood where it had begun. */
  private static <W> List<Integer> onceRound(
      W start, Function<W, Purged<W>> purge, Predicate<W> atStart) {
    List<Integer> batches = new ArrayList<>();
    W walk = start;
    do {
      Purged<W> purged = purge.apply(walk);
      batches.add(purged.rows());
      walk = purged.next();
    } while (!atStart.test(walk));
    assertThat(walk).isEqualTo(start);
    return batches;
  }

  @Test
  void purges_ofEmptyTables_areAtTheEndAtOnce() {
    assertThat(MONTH.purgeMessages(DB.dsl(), IdWalk.of(1)))
        .isEqualTo(new Purged<>(0, IdWalk.of(1)));
    assertThat(MONTH.purgeOperatorActions(DB.dsl(), IdWalk.of(1)))
        .isEqualTo(new Purged<>(0, IdWalk.of(1)));
    assertThat(MONTH.purgeInbox(DB.dsl(), InboxWalk.of(1)))
        .isEqualTo(new Purged<>(0, InboxWalk.of(1)));
  }

  private static int purged() {
    return MONTH.purgeMessages(DB.dsl(), IdWalk.of(1_000)).rows();
  }

  private static void completedWithoutReceipt(String eventId) {
    enqueue(DB.dsl(), message(eventId));
    var lease =
        Dead.LEASES
            .claim(DB.dsl(), Outbox.create().withoutReceipts().deliveries(Channel.DEFAULT), LONG, 1)
            .claimed()
            .get(0)
            .lease();
    assertThat(Dead.LEASES.complete(DB.dsl(), lease).accepted()).isTrue();
  }

  /** While other deliveries are claimable. */
  private static void sentAlone(String eventId) {
    enqueue(DB.dsl(), message(eventId));
    long id = Dead.deliveryOf(DB.dsl(), eventId);
    var lease =
        Dead.LEASES
            .claimByKey(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, id)
            .claimed()
            .get(0)
            .lease();
    assertThat(Dead.LEASES.complete(DB.dsl(), lease).accepted()).isTrue();
  }

  private static List<String> events() {
    return DB.dsl().selectFrom(MESSAGE).fetch(MESSAGE.EVENT_ID);
  }

  private static void discarded(int count) {
    buried(DB.dsl(), numbered(count));
    assertThat(
            DeadLetters.on(Channel.DEFAULT)
                .discard(DB.dsl(), Selection.all(), new Operator("ann", "why")))
        .hasSize(count);
  }

  private static Message[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(Message[]::new);
  }

  private static void age(String table, String column, int days) {
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.%1$s set %2$s = %2$s - interval '%3$d days'"
                        .formatted(table, column, days)))
        .isPositive();
  }
}

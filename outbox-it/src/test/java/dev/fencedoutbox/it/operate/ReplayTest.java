package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.buried;
import static dev.fencedoutbox.it.operate.Dead.claimed;
import static dev.fencedoutbox.it.operate.Dead.claimedEvents;
import static dev.fencedoutbox.it.operate.Dead.completed;
import static dev.fencedoutbox.it.operate.Dead.deliveryOf;
import static dev.fencedoutbox.it.operate.Dead.sent;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Replay;
import dev.fencedoutbox.operate.ReplayOutcome;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.SentSelection;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.sql.Connection;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was delivered is delivered once more, and never twice at a time. */
class ReplayTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Replay REPLAY = Replay.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void replay_ofSentMessage_isANewDeliveryOfTheSameEvent() {
    long first = sent(DB.dsl(), message("e1")).get(0);

    assertThat(replay("e1")).isEqualTo(ReplayOutcome.REPLAYED);

    var claim = claimed(DB.dsl()).get(0);
    assertThat(claim.row().eventId()).isEqualTo("e1");
    assertThat(claim.lease().key()).isGreaterThan(first);
    assertThat(claim.lease().attempts()).isEqualTo(1);
    assertThat(DB.dsl().fetchCount(MESSAGE)).isEqualTo(1);
    assertThat(DB.dsl().fetchCount(RECEIPT)).as("the first receipt stays").isEqualTo(1);
  }

  @Test
  void replay_writesDownWhichDeliveryCameOfWhich() {
    long first = sent(DB.dsl(), message("e1")).get(0);

    assertThat(replay("e1")).isEqualTo(ReplayOutcome.REPLAYED);

    var row = DB.dsl().selectFrom(OPERATOR_ACTION).fetchSingle();
    assertThat(row.getVerb()).isEqualTo(OperatorVerb.REPLAY);
    assertThat(List.of(row.getWho(), row.getWhy())).containsExactly("ann", "ticket 17");
    assertThat(row.getDeliveryId()).isEqualTo(first);
    assertThat(row.getNewDeliveryId()).isEqualTo(deliveryOf(DB.dsl(), "e1"));
    assertThat(List.of(row.getEpoch(), row.getAttempts())).containsExactly(1L, 1);
  }

  @Test
  void replay_afterTheReplayWasDelivered_isPossibleAgain() {
    sent(DB.dsl(), message("e1"));
    assertThat(replay("e1")).isEqualTo(ReplayOutcome.REPLAYED);
    long second = completed(DB.dsl()).get(0);

    assertThat(replay("e1")).isEqualTo(ReplayOutcome.REPLAYED);

    assertThat(DB.dsl().selectFrom(OPERATOR_ACTION).fetch(OPERATOR_ACTION.DELIVERY_ID))
        .as("the latest receipt")
        .contains(second);
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(1);
  }

  @Test
  void replay_whileADeliveryIsNotDone_isRefused() {
    sent(DB.dsl(), message("waiting"));
    assertThat(replay("waiting")).isEqualTo(ReplayOutcome.REPLAYED);
    assertThat(replay("waiting")).isEqualTo(ReplayOutcome.UNDELIVERED);
    assertThat(claimed(DB.dsl())).hasSize(1);
    assertThat(replay("waiting")).as("leased").isEqualTo(ReplayOutcome.UNDELIVERED);
    buried(DB.dsl(), message("dead"));
    assertThat(replay("dead")).isEqualTo(ReplayOutcome.UNDELIVERED);
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(2);
  }

  @Test
  void replay_ofWhatHasNoReceiptOfTheChannel_isRefusedAndChangesNothing() {
    sent(DB.dsl(), message("here").channels(Channel.DEFAULT));
    enqueue(DB.dsl(), message("unproved"));
    assertThat(
            Dead.LEASES
                .complete(
                    DB.dsl(),
                    Dead.LEASES
                        .claim(
                            DB.dsl(),
                            Outbox.create().withoutReceipts().deliveries(Channel.DEFAULT),
                            LONG,
                            1)
                        .claimed()
                        .get(0)
                        .lease())
                .accepted())
        .isTrue();
    List<String> before = ApiCall.rows(DB.dsl());

    assertThat(replay("unproved")).isEqualTo(ReplayOutcome.NOT_SENT);
    assertThat(Replay.on(Channel.of("elsewhere")).replay(DB.dsl(), "here", ANN))
        .isEqualTo(ReplayOutcome.NOT_SENT);
    assertThat(replay("nobody")).isEqualTo(ReplayOutcome.UNKNOWN);

    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
  }

  @Test
  void replay_ofAnOrdered_standsAtTheTailOfItsKey() {
    sent(DB.dsl(), message("k1").orderingKey("k"));
    enqueue(DB.dsl(), message("k2").orderingKey("k"));

    assertThat(replay("k1")).isEqualTo(ReplayOutcome.REPLAYED);

    assertThat(claimedEvents(DB.dsl())).containsExactly("k2", "k1");
  }

  @Test
  void replay_besideAnOpenEnqueueOfItsKey_waitsAndComesAfterIt() throws Exception {
    sent(DB.dsl(), message("k1").orderingKey("k"));

    assertThat(replayWhileOpen("k1", tx -> enqueue(tx, message("k2").orderingKey("k"))))
        .isEqualTo(ReplayOutcome.REPLAYED);

    assertThat(deliveryOf(DB.dsl(), "k1")).isGreaterThan(deliveryOf(DB.dsl(), "k2"));
  }

  @Test
  void replay_byTwoAtOnce_addsOneDelivery() throws Exception {
    sent(DB.dsl(), message("e1"));

    assertThat(
            replayWhileOpen(
                "e1",
                tx -> assertThat(REPLAY.replay(tx, "e1", ANN)).isEqualTo(ReplayOutcome.REPLAYED)))
        .isEqualTo(ReplayOutcome.UNDELIVERED);

    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(1);
    assertThat(DB.dsl().fetchCount(OPERATOR_ACTION)).isEqualTo(1);
  }

  @Test
  void replay_besideAPurgeThatHasTheMessage_waitsAndMeetsNothing() throws Exception {
    sent(DB.dsl(), message("e1"));

    assertThat(
            replayWhileOpen(
                "e1",
                tx ->
                    assertThat(
                            Retention.olderThan(Duration.ZERO)
                                .purgeMessages(tx, IdWalk.of(10))
                                .rows())
                        .isEqualTo(1)))
        .isEqualTo(ReplayOutcome.UNKNOWN);

    assertThat(DB.dsl().fetchCount(MESSAGE) + DB.dsl().fetchCount(DELIVERY)).isZero();
  }

  @Test
  void replayAll_ofTopicAndRange_takesThoseLastDeliveredInIt() {
    sent(DB.dsl(), message("before"), message("from"), message("until"));
    deliveredAt("before", "2026-01-01T09:59:59.999999Z");
    deliveredAt("from", "2026-01-01T10:00:00Z");
    deliveredAt("until", "2026-01-01T11:00:00Z");

    assertThat(REPLAY.replayAll(DB.dsl(), tenToEleven("plain"), ANN))
        .extracting(Changed::eventId)
        .containsExactly("from");
    assertThat(REPLAY.replayAll(DB.dsl(), tenToEleven("other"), ANN)).isEmpty();
  }

  @Test
  void replayAll_upTo_goesOnWithTheNextThoughTheFirstAreDeliveredAgain() {
    sent(DB.dsl(), message("a"), message("b"), message("c").orderingKey("k"), message("d"));
    List.of("a", "b", "c", "d").forEach(e -> deliveredAt(e, "2026-01-01T10:00:00Z"));
    SentSelection two = tenToEleven("plain").upTo(2);

    assertThat(REPLAY.replayAll(DB.dsl(), two, ANN))
        .extracting(Changed::eventId)
        .containsExactly("a", "b");
    completed(DB.dsl());
    assertThat(REPLAY.replayAll(DB.dsl(), two, ANN))
        .extracting(Changed::eventId)
        .containsExactly("c", "d");
    assertThat(REPLAY.replayAll(DB.dsl(), two, ANN)).isEmpty();
  }

  @Test
  void replayAll_spreadOver_makesThemDueOneAfterTheOther() {
    sent(DB.dsl(), message("a"), message("b"));
    List.of("a", "b").forEach(e -> deliveredAt(e, "2026-01-01T10:00:00Z"));

    assertThat(
            REPLAY.spreadOver(Duration.ofHours(2)).replayAll(DB.dsl(), tenToEleven("plain"), ANN))
        .hasSize(2);

    assertThat(claimedEvents(DB.dsl())).containsExactly("a");
  }

  @Test
  void replay_byManyAtOnce_isTakenOnce() {
    sent(DB.dsl(), message("k1").orderingKey("k"));

    List<ReplayOutcome> outcomes = Together.run(4, () -> replay("k1"));

    assertThat(Collections.frequency(outcomes, ReplayOutcome.REPLAYED)).isEqualTo(1);
    assertThat(Collections.frequency(outcomes, ReplayOutcome.UNDELIVERED)).isEqualTo(3);
  }

  private static SentSelection tenToEleven(String topic) {
    return SentSelection.topic(
        topic,
        OffsetDateTime.parse("2026-01-01T10:00:00Z"),
        OffsetDateTime.parse("2026-01-01T11:00:00Z"));
  }

  private static void deliveredAt(String eventId, String time) {
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.receipt r set delivered_at = ?::timestamptz from outbox.message m"
                        + " where m.id = r.message_id and m.event_id = ?",
                    time,
                    eventId))
        .isEqualTo(1);
  }

  private static ReplayOutcome replay(String eventId) {
    return REPLAY.replay(DB.dsl(), eventId, ANN);
  }

  /** Replays while {@code first} is not committed, and demands that this waits. */
  private static ReplayOutcome replayWhileOpen(String eventId, Consumer<DSLContext> first)
      throws Exception {
    try (Together together = new Together();
        Connection waiting = DB.connect()) {
      DSLContext dsl = TestDatabase.on(waiting);
      int pid = Together.pid(dsl);
      Future<ReplayOutcome> outcome =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    first.accept(tx.dsl());
                    Future<ReplayOutcome> started =
                        together.start(() -> REPLAY.replay(dsl, eventId, ANN));
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      return Objects.requireNonNull(Together.resultOf(outcome));
    }
  }
}

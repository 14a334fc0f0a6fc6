package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.guards.Guarded.LEASES;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Replay;
import dev.fencedoutbox.operate.ReplayOutcome;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.SentSelection;
import dev.fencedoutbox.outbox.Channel;
import java.sql.Connection;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replay looks first and decides again when it writes. */
class ReplayGuardsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Replay REPLAY = Replay.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final SentSelection EVER =
      SentSelection.topic(
          "plain",
          OffsetDateTime.parse("2000-01-01T00:00:00Z"),
          OffsetDateTime.parse("9000-01-01T00:00:00Z"));

  private static final String OF_FIRST =
      " message_id = (select id from outbox.message where event_id = 'row0')";

  /** What happens to the first message between the look and the decision. */
  enum Change {
    OF_ANOTHER_TOPIC("update outbox.message set topic = 'x' where event_id = 'row0'", true),
    DELIVERED_BEFORE(
        "update outbox.receipt set delivered_at = '1999-01-01' where" + OF_FIRST, true),
    DELIVERED_AFTER("update outbox.receipt set delivered_at = '9500-01-01' where" + OF_FIRST, true),
    DELIVERED_ELSEWHERE("update outbox.receipt set channel = 'x' where" + OF_FIRST, true),
    DELIVERED_AGAIN_LATER(receipt("default", "9500-01-01"), true),
    ELSEWHERE_AS_WELL_LATER(receipt("elsewhere", "2026-01-01"), false),
    UNDELIVERED(delivery("default"), true),
    UNDELIVERED_ELSEWHERE(delivery("elsewhere"), false);

    final String sql;
    final boolean bars;

    Change(String sql, boolean bars) {
      this.sql = sql;
      this.bars = bars;
    }
  }

  private static String receipt(String channel, String at) {
    return "insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel, delivered_at)"
        + " select message_id, delivery_id + 1000, 1, 1, '%s', '%s' from outbox.receipt where%s"
            .formatted(channel, at, OF_FIRST);
  }

  private static String delivery(String channel) {
    return "insert into outbox.delivery (message_id, channel)"
        + " select id, '%s' from outbox.message where event_id = 'row0'".formatted(channel);
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** Messages row0, row1 and so on, delivered on the default channel; their deliveries' ids. */
  private static List<Long> sent(int count) {
    var leases = Guarded.DELIVERY.claimed(DB.dsl(), count);
    assertThat(LEASES.completeAll(DB.dsl(), leases)).containsOnly(LeaseOutcome.ACCEPTED);
    return leases.stream().map(lease -> lease.key()).toList();
  }

  /** A context in which {@code change} is made right before the statement that decides. */
  private static DSLContext before(Runnable change) {
    return DB.dsl()
        .configuration()
        .deriveAppending(
            ExecuteListener.onExecuteStart(
                ctx -> {
                  if (String.valueOf(ctx.sql()).contains("sent_messages")) {
                    change.run();
                  }
                }))
        .dsl();
  }

  private static void execute(String sql) {
    assertThat(DB.dsl().execute(sql)).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void replayAll_decidesByWhatIsSoWhenItWrites(Change change) {
    List<Long> ids = sent(2);

    List<Changed> replayed = REPLAY.replayAll(before(() -> execute(change.sql)), EVER, ANN);

    assertThat(replayed)
        .extracting(Changed::deliveryId)
        .isEqualTo(change.bars ? ids.subList(1, 2) : ids);
    assertThat(DB.dsl().fetchCount(OPERATOR_ACTION)).isEqualTo(replayed.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"DELIVERED_ELSEWHERE", "UNDELIVERED"})
  void replay_decidesByWhatIsSoWhenItWrites(Change change) {
    sent(2);

    assertThat(REPLAY.replay(before(() -> execute(change.sql)), "row0", ANN))
        .isNotEqualTo(ReplayOutcome.REPLAYED);

    assertThat(DB.dsl().fetchCount(OPERATOR_ACTION)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ELSEWHERE_AS_WELL_LATER", "UNDELIVERED_ELSEWHERE"})
  void replay_ofWhatIsToBeDeliveredElsewhere_takesTheReceiptOfItsChannel(Change change) {
    List<Long> ids = sent(2);
    execute(change.sql);

    assertThat(REPLAY.replay(DB.dsl(), "row0", ANN)).isEqualTo(ReplayOutcome.REPLAYED);

    assertThat(DB.dsl().fetchSingle(OPERATOR_ACTION).getDeliveryId()).isEqualTo(ids.get(0));
  }

  /** One that was sent before on the channel, and is the latest there. */
  @Test
  void replay_ofWhatWasDeliveredTwice_writesDownTheLatest() {
    List<Long> ids = sent(2);
    execute(Change.DELIVERED_AGAIN_LATER.sql);
    DB.dsl()
        .fetch("select setval('outbox.delivery_id_seq', nextval('outbox.delivery_id_seq') + 1000)");

    assertThat(REPLAY.replay(DB.dsl(), "row0", ANN)).isEqualTo(ReplayOutcome.REPLAYED);

    assertThat(DB.dsl().fetchSingle(OPERATOR_ACTION).getDeliveryId()).isEqualTo(ids.get(0) + 1000);
  }

  /** What it did not see when it took the locks of the keys has no lock. */
  @Test
  void replayAll_leavesAloneWhatWasSentAfterItsLook() {
    List<Long> ids = sent(2);
    execute("update outbox.receipt set channel = 'x' where" + OF_FIRST);
    DSLContext dsl =
        before(() -> execute("update outbox.receipt set channel = 'default' where" + OF_FIRST));

    assertThat(REPLAY.replayAll(dsl, EVER, ANN))
        .extracting(Changed::deliveryId)
        .isEqualTo(ids.subList(1, 2));
  }

  @Test
  void replayAll_besideAReplayThatIsNotCommitted_waitsAndAddsNone() throws Exception {
    sent(1);

    assertThat(
            replayAllWhileOpen(
                tx -> assertThat(REPLAY.replay(tx, "row0", ANN)).isEqualTo(ReplayOutcome.REPLAYED)))
        .isEmpty();

    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(1);
  }

  @Test
  void replayAll_besideAPurgeThatHasTheMessage_waitsAndMeetsNothing() throws Exception {
    sent(1);

    assertThat(
            replayAllWhileOpen(
                tx ->
                    assertThat(
                            Retention.olderThan(Duration.ZERO)
                                .purgeMessages(tx, IdWalk.of(10))
                                .rows())
                        .isEqualTo(1)))
        .isEmpty();
  }

  private static List<Changed> replayAllWhileOpen(Consumer<DSLContext> first) throws Exception {
    try (Together together = new Together();
        Connection waiting = DB.connect()) {
      DSLContext dsl = TestDatabase.on(waiting);
      int pid = Together.pid(dsl);
      Future<List<Changed>> replayed =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    first.accept(tx.dsl());
                    Future<List<Changed>> started =
                        together.start(() -> REPLAY.replayAll(dsl, EVER, ANN));
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      return Together.resultOf(replayed);
    }
  }
}

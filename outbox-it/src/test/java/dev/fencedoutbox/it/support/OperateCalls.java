package dev.fencedoutbox.it.support;

import static dev.fencedoutbox.it.support.ApiCall.expect;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.INBOX;

import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.operate.DeadLetterPage;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.InboxWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Replay;
import dev.fencedoutbox.operate.ReplayOutcome;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.operate.SentSelection;
import dev.fencedoutbox.operate.Signals;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** The calls of operators, each of which changes something. */
final class OperateCalls {

  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);
  private static final Replay REPLAY = Replay.on(Channel.DEFAULT);
  private static final Retention AT_ONCE = Retention.olderThan(Duration.ZERO);
  private static final Operator ANN = new Operator("ann", "ticket 17");

  private OperateCalls() {}

  static List<ApiCall> all() {
    return List.of(
        call("list", false, 1, tx -> expect(3, DEAD.list(tx, page()).size())),
        call("redrive", true, 2, tx -> expect(3, DEAD.redrive(tx, everything(), ANN).size())),
        call("discard", true, 1, tx -> expect(3, DEAD.discard(tx, everything(), ANN).size())),
        call("skip", true, 1, tx -> expect(1, DEAD.skip(tx, everything(), ANN).size())),
        new ApiCall(
            "redrive of a skipped",
            true,
            3,
            dsl -> {
              prepare(dsl);
              expect(1, DEAD.skip(dsl, everything(), ANN).size());
              return tx -> expect(3, DEAD.redrive(tx, everything(), ANN).size());
            }),
        call(
            "replay",
            true,
            2,
            tx -> expect(ReplayOutcome.REPLAYED, REPLAY.replay(tx, "sent", ANN))),
        call("replayAll", true, 2, tx -> expect(2, REPLAY.replayAll(tx, ever(), ANN).size())),
        call(
            "purgeMessages",
            true,
            1,
            tx -> expect(3, AT_ONCE.purgeMessages(tx, IdWalk.of(10)).rows())),
        call(
            "purgeInbox", true, 1, tx -> expect(2, AT_ONCE.purgeInbox(tx, InboxWalk.of(9)).rows())),
        call(
            "purgeOperatorActions",
            true,
            1,
            tx -> expect(1, AT_ONCE.purgeOperatorActions(tx, IdWalk.of(10)).rows())),
        call("signals", false, 1, tx -> expect(3L, Signals.of(Channel.DEFAULT).read(tx).dead())));
  }

  private static ApiCall call(
      String name, boolean writes, int statements, Consumer<DSLContext> call) {
    return new ApiCall(
        name,
        writes,
        statements,
        dsl -> {
          prepare(dsl);
          return call;
        });
  }

  /** Three dead, one of them under a key; two sent; one discarded; two events applied. */
  private static void prepare(DSLContext dsl) {
    Leases by = Leases.ownedBy("owner");
    enqueue(dsl, message("sent"), message("sent in order").orderingKey("s"));
    expect(2, by.completeAll(dsl, claimed(dsl, by)).size());
    enqueue(
        dsl,
        message("a"),
        message("b"),
        message("c").orderingKey("k"),
        message("d").orderingKey("l"));
    for (Lease<Long> lease : claimed(dsl, by)) {
      expect(true, by.bury(dsl, lease, "no").accepted());
    }
    long newest = DEAD.list(dsl, DeadLetterPage.newestFirst(1)).get(0).deliveryId();
    expect(1, DEAD.discard(dsl, Selection.delivery(newest), ANN).size());
    dsl.insertInto(INBOX, INBOX.CONSUMER, INBOX.EVENT_ID)
        .values("billing", "x")
        .values("billing", "y")
        .execute();
  }

  private static List<Lease<Long>> claimed(DSLContext dsl, Leases by) {
    Outbox outbox = Outbox.create();
    List<Lease<Long>> all =
        new ArrayList<>(leases(by.claim(dsl, outbox.deliveries(Channel.DEFAULT), LONG, 10)));
    all.addAll(
        leases(
            by.claimInOrder(dsl, outbox.orderedDeliveries(Channel.DEFAULT), LONG, KeyWalk.of(10))
                .claims()));
    return all;
  }

  private static DeadLetterPage page() {
    return DeadLetterPage.oldestFirst(10);
  }

  private static Selection everything() {
    return Selection.all();
  }

  private static SentSelection ever() {
    return SentSelection.topic(
        "plain",
        OffsetDateTime.parse("2000-01-01T00:00:00Z"),
        OffsetDateTime.parse("9000-01-01T00:00:00Z"));
  }
}

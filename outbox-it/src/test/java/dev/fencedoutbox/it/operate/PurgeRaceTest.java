package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.sent;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Purged;
import dev.fencedoutbox.operate.Replay;
import dev.fencedoutbox.operate.ReplayOutcome;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A purge beside everything else: nobody waits in a circle, and no delivery is lost. */
class PurgeRaceTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Retention AT_ONCE = Retention.olderThan(Duration.ZERO);
  private static final Replay REPLAY = Replay.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final int MESSAGES = 1_000;

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Case 33
  @Test
  void fourPurgers_besideProducersAndClaimers_neitherDeadlockNorLose() {
    AtomicInteger completed = new AtomicInteger();
    AtomicInteger purged = new AtomicInteger();

    Together.runNumbered(
        8,
        number -> {
          if (number < 2) {
            produce("p" + number + "-");
          } else if (number < 4) {
            claimUntilDone(completed);
          } else {
            purgeUntilDone(completed, purged);
          }
          return number;
        });
    purged.addAndGet(AT_ONCE.purgeMessages(DB.dsl(), IdWalk.of(10_000)).rows());

    assertThat(completed).hasValue(2 * MESSAGES);
    assertThat(purged).hasValue(2 * MESSAGES);
    assertThat(DB.dsl().fetchCount(MESSAGE) + DB.dsl().fetchCount(RECEIPT)).isZero();
  }

  private static void produce(String prefix) {
    for (int from = 0; from < MESSAGES; from += 20) {
      enqueue(
          DB.dsl(),
          IntStream.range(from, from + 20)
              .mapToObj(i -> message(prefix + i))
              .toArray(Message[]::new));
    }
  }

  private static void claimUntilDone(AtomicInteger completed) {
    var table = Outbox.create().deliveries(Channel.DEFAULT);
    while (completed.get() < 2 * MESSAGES) {
      completed.addAndGet(
          (int)
              Dead.LEASES
                  .completeAll(DB.dsl(), leases(Dead.LEASES.claim(DB.dsl(), table, LONG, 50)))
                  .stream()
                  .filter(LeaseOutcome::accepted)
                  .count());
    }
  }

  private static void purgeUntilDone(AtomicInteger completed, AtomicInteger purged) {
    IdWalk walk = IdWalk.of(100);
    while (completed.get() < 2 * MESSAGES) {
      Purged<IdWalk> batch = AT_ONCE.purgeMessages(DB.dsl(), walk);
      purged.addAndGet(batch.rows());
      walk = batch.next();
    }
  }

  @Test
  void purge_besideAReplayThatIsNotCommitted_passesTheMessageByWithoutWaiting() {
    sent(DB.dsl(), message("e1"), message("e2"));

    DB.dsl()
        .transaction(
            tx -> {
              assertThat(REPLAY.replay(tx.dsl(), "e1", ANN)).isEqualTo(ReplayOutcome.REPLAYED);
              assertThat(AT_ONCE.purgeMessages(DB.dsl(), IdWalk.of(10)).rows()).isEqualTo(1);
            });

    assertThat(Dead.claimedEvents(DB.dsl())).containsExactly("e1");
  }

  /**
   * The purge has its snapshot, in which the message is finished; the replay commits; the purge
   * gets the message's lock, and nothing tells it to look again.
   */
  @Test
  void purge_thatReadTheMessageAsFinishedBeforeAReplaysCommit_isRefusedByTheDatabase()
      throws Exception {
    sent(DB.dsl(), message("e1"), message("e2"));
    try (Together together = new Together();
        Connection gate = DB.connect();
        Connection purger = DB.connect()) {
      TestDatabase.on(gate).execute("select pg_advisory_lock(42)");
      int pid = Together.pid(TestDatabase.on(purger));
      Future<Integer> purge =
          together.start(
              () -> AT_ONCE.purgeMessages(stoppingAtTheGate(purger), IdWalk.of(10)).rows());
      Together.awaitBlocked(DB.dsl(), pid);

      assertThat(REPLAY.replay(DB.dsl(), "e1", ANN)).isEqualTo(ReplayOutcome.REPLAYED);
      TestDatabase.on(gate).execute("select pg_advisory_unlock(42)");

      assertThatThrownBy(() -> Together.resultOf(purge))
          .cause()
          .isInstanceOfSatisfying(
              DataAccessException.class,
              refusal -> {
                assertThat(refusal.sqlState()).isEqualTo("23503");
                assertThat(refusal).hasMessageContaining("delivery_message_fk");
              });
    }
    assertThat(DB.dsl().fetchCount(MESSAGE)).as("all or nothing").isEqualTo(2);
    assertThat(Dead.claimedEvents(DB.dsl())).containsExactly("e1");
    assertThat(AT_ONCE.purgeMessages(DB.dsl(), IdWalk.of(10)).rows()).as("again").isEqualTo(1);
  }

  /** Waits for the gate once it has its snapshot, and before it locks a row. */
  private static DSLContext stoppingAtTheGate(Connection purger) {
    String walk = "where \"outbox\".\"message\".\"id\" > ";
    ExecuteListener stop =
        new ExecuteListener() {
          private static final long serialVersionUID = 1L;

          @Override
          public void renderEnd(ExecuteContext ctx) {
            String sql = Objects.requireNonNull(ctx.sql());
            assertThat(sql).contains(walk);
            ctx.sql(
                sql.replace(
                    walk,
                    "where (select pg_advisory_xact_lock(42)::text) is not null and"
                        + walk.substring("where".length())));
          }
        };
    return TestDatabase.on(purger).configuration().deriveAppending(stop).dsl();
  }

  @Test
  void enqueueOfTheSameEvent_besideAPurgeThatHasTheMessage_waitsAndIsNew() throws Exception {
    sent(DB.dsl(), message("e1"));
    try (Together together = new Together();
        Connection producer = DB.connect()) {
      DSLContext dsl = TestDatabase.on(producer);
      int pid = Together.pid(dsl);
      Future<Boolean> enqueued =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    assertThat(AT_ONCE.purgeMessages(tx.dsl(), IdWalk.of(10)).rows()).isEqualTo(1);
                    Future<Boolean> started =
                        together.start(
                            () -> {
                              enqueue(dsl, message("e1")); // demands CREATED
                              return true;
                            });
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      assertThat(Together.resultOf(enqueued)).isTrue();
    }
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(1);
    assertThat(Dead.claimedEvents(DB.dsl())).containsExactly("e1");
  }
}

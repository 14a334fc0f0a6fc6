package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Wakeup;
import dev.fencedoutbox.relay.WakeupSource.Listening;
import java.sql.Connection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.ThreadLocalTransactionProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WakeupTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Channel A = Channel.of("a");
  private static final Channel B = Channel.of("b");

  private final Wakeup wakeup = new Wakeup();
  private final Outbox outbox = Outbox.create().telling(wakeup);
  private final DSLContext dsl = DB.dsl().configuration().derive(wakeup).dsl();
  private final Queue<String> woken = new ConcurrentLinkedQueue<>();

  private static final class Unwanted extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void clear() {
    DB.clear();
    for (Channel channel : List.of(A, B)) {
      Listening unused = wakeup.listen(channel, () -> woken.add(channel.name()));
    }
  }

  private void enqueue(DSLContext tx, String eventId, Channel... channels) {
    assertThat(outbox.enqueue(tx, message(eventId).channels(channels)))
        .isEqualTo(EnqueueOutcome.CREATED);
  }

  @Test
  void commit_deliversWithoutWaitingForAPoll() {
    try (SlowPoller relay = SlowPoller.waiting(DB, A, wakeup)) {
      dsl.transaction(tx -> enqueue(tx.dsl(), "m", A));
      await().until(() -> relay.delivered().contains("m"));
    }
  }

  @Test
  void commit_wakesEachRelayOfItsChannels_andNoOther() {
    try (SlowPoller one = SlowPoller.waiting(DB, A, wakeup);
        SlowPoller other = SlowPoller.waiting(DB, A, wakeup);
        SlowPoller elsewhere = SlowPoller.waiting(DB, B, wakeup)) {
      dsl.transaction(tx -> enqueue(tx.dsl(), "m", A));
      one.awaitClaims(2);
      other.awaitClaims(2);
      assertThat(elsewhere.claims()).isEqualTo(1);
    }
  }

  @Test
  void commit_ofManyEnqueues_wakesOnce_andNotBeforeItsEnd() {
    dsl.transaction(
        tx -> {
          enqueue(tx.dsl(), "m1", A);
          enqueue(tx.dsl(), "m2", A, B);
          assertThat(woken).isEmpty();
        });
    assertThat(woken).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void rollback_wakesNobody_andIsForgotten() {
    assertThatThrownBy(
            () ->
                dsl.transaction(
                    tx -> {
                      enqueue(tx.dsl(), "m", A);
                      throw new Unwanted();
                    }))
        .isInstanceOf(Unwanted.class);
    dsl.transaction(tx -> enqueue(tx.dsl(), "m", B));
    assertThat(woken).containsExactly("b");
  }

  @Test
  void nestedCommit_wakesWithTheOutermost() {
    dsl.transaction(
        tx -> {
          tx.dsl()
              .transaction(nested -> nested.dsl().transaction(deep -> enqueue(deep.dsl(), "m", A)));
          assertThat(woken).isEmpty();
        });
    assertThat(woken).containsExactly("a");
  }

  @Test
  void nestedRollback_forgetsItsOwnEnqueuesOnly() {
    dsl.transaction(
        tx -> {
          enqueue(tx.dsl(), "m1", A);
          assertThatThrownBy(
                  () ->
                      tx.dsl()
                          .transaction(
                              nested -> {
                                enqueue(nested.dsl(), "m2", B);
                                throw new Unwanted();
                              }))
              .isInstanceOf(Unwanted.class);
        });
    assertThat(woken).containsExactly("a");
  }

  @Test
  void nestedCommit_thenOuterRollback_wakesNobody() {
    assertThatThrownBy(
            () ->
                dsl.transaction(
                    tx -> {
                      tx.dsl().transaction(nested -> enqueue(nested.dsl(), "m", A));
                      throw new Unwanted();
                    }))
        .isInstanceOf(Unwanted.class);
    assertThat(woken).isEmpty();
  }

  /** As with jOOQ's own: inside the transaction the host goes on with its one context. */
  @Test
  void commit_ofAThreadBoundTransaction_wakes() {
    DataSourceConnectionProvider connections = new DataSourceConnectionProvider(DB.pool());
    ThreadLocalTransactionProvider provider = new ThreadLocalTransactionProvider(connections);
    DSLContext bound =
        new DefaultConfiguration().set(SQLDialect.POSTGRES).set(provider).set(wakeup).dsl();
    bound.transaction(
        () -> {
          bound.transaction(() -> enqueue(bound, "m", A));
          assertThat(woken).isEmpty();
          enqueue(bound, "m2", B);
        });
    assertThat(woken).containsExactlyInAnyOrder("a", "b");
  }

  /** The context names the transaction, whichever thread works on it. */
  @Test
  void enqueue_inAnotherThread_countsForItsTransaction() {
    dsl.transaction(
        tx -> {
          try (Together together = new Together()) {
            Together.resultOf(
                together.start(
                    () -> {
                      enqueue(tx.dsl(), "m", A);
                      return true;
                    }));
          }
          assertThat(woken).isEmpty();
        });
    assertThat(woken).containsExactly("a");
  }

  @Test
  void commit_ofAnAsynchronousTransaction_wakes() {
    dsl.transactionAsync(ForkJoinPool.commonPool(), tx -> enqueue(tx.dsl(), "m", A))
        .toCompletableFuture()
        .join();
    assertThat(woken).containsExactly("a");
  }

  /** jOOQ tells the end of a commit that failed, and then of its rollback. */
  @Test
  void commitThatFails_leavesNothingBehind() {
    dsl.execute("create table if not exists late (id int unique deferrable initially deferred)");
    assertThatThrownBy(
            () ->
                dsl.transaction(
                    tx -> {
                      enqueue(tx.dsl(), "m", A);
                      tx.dsl().execute("insert into late values (1), (1)");
                    }))
        .hasStackTraceContaining("late_id_key");
    woken.clear();
    dsl.transaction(tx -> enqueue(tx.dsl(), "m", B));
    assertThat(woken).containsExactly("b");
  }

  @Test
  void enqueueOfDuplicatesOnly_wakesNobody() {
    dsl.transaction(tx -> enqueue(tx.dsl(), "m", A));
    woken.clear();
    EnqueueOutcome outcome =
        dsl.transactionResult(tx -> outbox.enqueue(tx.dsl(), message("m").channels(A)));
    assertThat(outcome).isEqualTo(EnqueueOutcome.DUPLICATE);
    assertThat(woken).isEmpty();
  }

  @Test
  void committed_wakesUnderAnotherTransactionManager() throws Exception {
    try (SlowPoller relay = SlowPoller.waiting(DB, A, wakeup);
        Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      enqueue(DSL.using(connection, SQLDialect.POSTGRES), "m", A);
      connection.commit();
      assertThat(woken).isEmpty();
      wakeup.committed(A);
      await().until(() -> relay.delivered().contains("m"));
    }
  }

  @Test
  void closedListening_isCalledNoMore_andTheOthersAre() {
    Queue<String> mine = new ConcurrentLinkedQueue<>();
    Listening listening = wakeup.listen(A, () -> mine.add("a"));
    wakeup.committed(A);
    listening.close();
    wakeup.committed(A);
    assertThat(mine).containsExactly("a");
    assertThat(woken).containsExactly("a", "a");
  }

  @Test
  void closedRelay_listensNoMore() {
    SlowPoller relay = SlowPoller.waiting(DB, A, wakeup);
    relay.close();
    int claims = relay.claims();
    dsl.transaction(tx -> enqueue(tx.dsl(), "m", A));
    assertThat(relay.claims()).isEqualTo(claims);
    assertThat(woken).containsExactly("a");
  }

  @Test
  void commitsOfManyThreads_wakeForEachOfThem() {
    List<Integer> done =
        Together.runNumbered(
            8,
            number -> {
              IntStream.range(0, 25)
                  .forEach(
                      i ->
                          dsl.transaction(
                              tx -> enqueue(tx.dsl(), number + "-" + i, number % 2 == 0 ? A : B)));
              return number;
            });
    assertThat(done).hasSize(8);
    assertThat(woken).hasSize(200);
    assertThat(woken.stream().filter("a"::equals)).hasSize(100);
  }
}

package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.Retry;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EnqueueTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Outbox OUTBOX = Outbox.create();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** Each way to say something once. */
  enum Once {
    ENQUEUE {
      @Override
      boolean isNew(DSLContext tx) {
        return OUTBOX.enqueue(tx, message("e1")) == EnqueueOutcome.CREATED;
      }
    },
    ENQUEUE_ALL {
      @Override
      boolean isNew(DSLContext tx) {
        List<EnqueueOutcome> outcomes =
            OUTBOX.enqueueAll(tx, List.of(message("e1"), message("e1"), message("e1")));
        assertThat(outcomes.subList(1, 3)).containsOnly(EnqueueOutcome.DUPLICATE);
        return outcomes.get(0) == EnqueueOutcome.CREATED;
      }
    },
    ENQUEUE_OF_A_KEY {
      @Override
      boolean isNew(DSLContext tx) {
        return OUTBOX.enqueue(tx, message("e1").orderingKey("k")) == EnqueueOutcome.CREATED;
      }
    },
    INBOX {
      @Override
      boolean isNew(DSLContext tx) {
        return Inbox.of("billing").applyOnce(tx, "e1", same -> {}) == InboxOutcome.APPLIED;
      }
    };

    abstract boolean isNew(DSLContext tx);
  }

  // Case 15
  @ParameterizedTest
  @EnumSource
  void enqueue_ofOneEventTwiceBesideABusinessInsert_isADuplicateAndTheTransactionCommits(
      Once once) {
    DB.dsl()
        .transaction(
            tx -> {
              invoice(tx.dsl(), "before");
              assertThat(once.isNew(tx.dsl())).isTrue();
              assertThat(once.isNew(tx.dsl())).isFalse();
              invoice(tx.dsl(), "after");
            });

    assertThat(DB.dsl().fetchCount(INVOICE)).isEqualTo(2);
    assertThat(stored()).isEqualTo(1);
    assertThat(isNewByItself(once)).isFalse();
    assertThat(stored()).isEqualTo(1);
  }

  static Stream<Arguments> onceAndWhetherTheFirstCommits() {
    return Stream.of(Once.values())
        .flatMap(once -> Stream.of(Arguments.of(once, true), Arguments.of(once, false)));
  }

  // Case 15
  @ParameterizedTest
  @MethodSource("onceAndWhetherTheFirstCommits")
  void enqueue_whileAnotherTransactionHasEnqueuedTheSame_waitsForItsEnd(
      Once once, boolean firstCommits) throws Exception {
    try (Together together = new Together();
        Connection first = begin(DB.connect());
        Connection second = begin(DB.connect())) {
      assertThat(once.isNew(TestDatabase.on(first))).isTrue();
      int pid = Together.pid(TestDatabase.on(second));
      Future<Boolean> secondIsNew = together.start(() -> once.isNew(TestDatabase.on(second)));
      Together.awaitBlocked(DB.dsl(), pid);
      assertThat(secondIsNew.isDone()).isFalse();

      if (firstCommits) {
        first.commit();
      } else {
        first.rollback();
      }

      assertThat(Together.resultOf(secondIsNew)).isEqualTo(!firstCommits);
      invoice(TestDatabase.on(second), "after");
      second.commit();
    }
    assertThat(stored()).isEqualTo(1);
    assertThat(DB.dsl().fetchCount(INVOICE)).isEqualTo(1);
  }

  // Case 15: documented for lost races under stricter isolation
  @ParameterizedTest
  @EnumSource
  void enqueue_underRepeatableReadAfterAnotherCommittedTheSame_isASerializationFailure(Once once)
      throws Exception {
    try (Connection late = begin(DB.connect())) {
      late.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      int snapshot = Together.pid(TestDatabase.on(late));
      assertThat(snapshot).isPositive();
      assertThat(isNewByItself(once)).isTrue();

      assertThatThrownBy(() -> once.isNew(TestDatabase.on(late)))
          .isInstanceOfSatisfying(
              DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
      late.rollback();
    }
    assertThat(stored()).isEqualTo(1);
  }

  // Case 16
  @Test
  void enqueue_ofTheFirstMessagesOfOneKeyAtOnce_waitsAndBothCommit() throws Exception {
    try (Together together = new Together();
        Connection first = begin(DB.connect());
        Connection second = begin(DB.connect())) {
      assertThat(OUTBOX.enqueue(TestDatabase.on(first), message("a").orderingKey("k")))
          .isEqualTo(EnqueueOutcome.CREATED);
      int pid = Together.pid(TestDatabase.on(second));
      Future<EnqueueOutcome> outcome =
          together.start(
              () -> OUTBOX.enqueue(TestDatabase.on(second), message("b").orderingKey("k")));
      Together.awaitBlocked(DB.dsl(), pid);
      assertThat(OUTBOX.enqueue(TestDatabase.on(first), message("c").orderingKey("k")))
          .isEqualTo(EnqueueOutcome.CREATED);
      // Another key and no key do not wait
      Fixtures.enqueue(DB.dsl(), message("other").orderingKey("l"), message("none"));

      first.commit();
      assertThat(Together.resultOf(outcome)).isEqualTo(EnqueueOutcome.CREATED);
      second.commit();
    }
    assertThat(
            DB.dsl()
                .fetch(
                    "select event_id from outbox.delivery d join outbox.message m"
                        + " on m.id = d.message_id where d.ordering_key = 'k' order by d.id")
                .into(String.class))
        .containsExactly("a", "c", "b");
  }

  // Case 16: many keys, in opposite orders
  @Test
  void enqueueAll_ofManyKeysInOppositeOrdersAtOnce_neverDeadlocks() {
    AtomicInteger thread = new AtomicInteger();
    List<Boolean> all =
        Together.run(
            4,
            () -> {
              int number = thread.getAndIncrement();
              for (int round = 0; round < 25; round++) {
                String prefix = number + "-" + round + "-";
                List<Message> messages =
                    new ArrayList<>(
                        IntStream.range(0, 40)
                            .mapToObj(i -> message(prefix + i).orderingKey("k" + i))
                            .toList());
                if (number % 2 == 0) {
                  Collections.reverse(messages);
                }
                Fixtures.enqueue(DB.dsl(), messages.toArray(Message[]::new));
              }
              return true;
            });

    assertThat(all).containsOnly(true);
    assertThat(stored()).isEqualTo(4 * 25 * 40);
  }

  // Case 17
  @Test
  void calls_thatNeedATransaction_withoutOneSayWhatToDoAndWriteNothing() {
    Lease<Long> lease = Leased.JOB_ROW.claimed(DB.dsl(), "job", 1, Fixtures.LONG).get(0);
    List<String> before = ApiCall.rows(DB.dsl());
    String why =
        " was called outside a transaction: the connection is in auto-commit mode, so it would"
            + " commit by itself, apart from what it belongs to. Nothing was written. Call it inside your transaction (dsl.transaction(tx -> ... tx.dsl() ...))"
            + " with that transaction's DSLContext, ";

    refused(
        dsl -> OUTBOX.enqueue(dsl, message("e")),
        "Outbox.enqueue" + why + "or allow it with Outbox.withoutTransactionCheck().");
    refused(
        dsl -> OUTBOX.enqueueAll(dsl, List.of(message("e"), message("f"))),
        "Outbox.enqueue" + why + "or allow it with Outbox.withoutTransactionCheck().");
    refused(
        dsl -> Inbox.of("billing").applyOnce(dsl, "e", tx -> invoice(tx, "e")),
        "Inbox.applyOnce" + why + "which the effect shares.");
    refused(
        dsl -> Leases.ownedBy("owner").hold(dsl, lease),
        "Leases.hold" + why + "or use Leases.apply, which guards and writes in one statement.");

    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
  }

  private static void refused(Function<DSLContext, Object> call, String message) {
    Statements statements = new Statements();
    assertThatThrownBy(() -> call.apply(statements.listeningOn(DB.dsl())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(message);
    assertThat(statements.executed()).isEmpty();
  }

  // Case 17: the way out
  @Test
  void enqueue_withoutTransactionCheck_commitsByItself() {
    assertThat(OUTBOX.withoutTransactionCheck().enqueue(DB.dsl(), message("e")))
        .isEqualTo(EnqueueOutcome.CREATED);
    assertThat(stored()).isEqualTo(1);
  }

  // Case 18
  @Test
  void calls_withNothingToDo_sendNothingEvenOutsideATransaction() {
    Statements statements = new Statements();
    DSLContext dsl = statements.listeningOn(DB.dsl());
    Leases leases = Leases.ownedBy("owner");

    assertThat(OUTBOX.enqueueAll(dsl, List.of())).isEmpty();
    assertThat(leases.completeAll(dsl, List.<Lease<Long>>of())).isEmpty();
    assertThat(leases.releaseAll(dsl, List.<Lease<Long>>of())).isEmpty();
    assertThat(leases.retryAll(dsl, List.<Retry<Long>>of())).isEmpty();
    assertThat(leases.buryAll(dsl, List.<Burial<Long>>of())).isEmpty();
    assertThat(leases.renewAll(dsl, List.<Lease<Long>>of(), Duration.ofMinutes(1))).isEmpty();

    assertThat(statements.events()).isEmpty();
  }

  private static boolean isNewByItself(Once once) {
    return DB.dsl().transactionResult(tx -> once.isNew(tx.dsl()));
  }

  private static Connection begin(Connection connection) throws Exception {
    connection.setAutoCommit(false);
    return connection;
  }

  private static void invoice(DSLContext dsl, String id) {
    assertThat(
            dsl.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                .values(id, BigDecimal.ONE)
                .execute())
        .isEqualTo(1);
  }

  private static int stored() {
    return DB.dsl()
        .fetchSingle(
            "select (select count(*) from outbox.message) + (select count(*) from outbox.inbox)")
        .get(0, Integer.class);
  }
}

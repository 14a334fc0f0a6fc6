package dev.fencedoutbox.it.inbox;

import static dev.fencedoutbox.inbox.InboxOutcome.APPLIED;
import static dev.fencedoutbox.inbox.InboxOutcome.DUPLICATE;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many events at once: one statement, and the effect of those that are new. */
class InboxBatchTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Inbox BILLING = Inbox.of("billing");

  private final List<String> applied = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private List<InboxOutcome> apply(Inbox inbox, List<String> events) {
    return DB.dsl()
        .transactionResult(
            tx ->
                inbox.applyAllOnce(
                    tx.dsl(), events, event -> event, (own, fresh) -> applied.addAll(fresh)));
  }

  private List<InboxOutcome> apply(String... events) {
    return apply(BILLING, List.of(events));
  }

  @Test
  void events_areAppliedOnce_theNewOnesInTheirOrder() {
    assertThat(apply("b", "a")).containsExactly(APPLIED, APPLIED);
    assertThat(apply("c", "a", "d", "b")).containsExactly(APPLIED, DUPLICATE, APPLIED, DUPLICATE);
    assertThat(applied).containsExactly("b", "a", "c", "d");
  }

  @Test
  void event_thatStandsTwiceInABatch_isAppliedOnce() {
    assertThat(apply("a", "b", "a")).containsExactly(APPLIED, APPLIED, DUPLICATE);
    assertThat(applied).containsExactly("a", "b");
    assertThat(apply("c")).as("a batch of one").containsExactly(APPLIED);
    assertThat(apply("c", "c")).containsExactly(DUPLICATE, DUPLICATE);
  }

  @Test
  void batch_withoutANewEvent_doesNotRunTheEffect() {
    assertThat(apply("a")).containsExactly(APPLIED);
    List<List<String>> calls = new ArrayList<>();
    DB.dsl()
        .transaction(
            tx ->
                assertThat(
                        BILLING.applyAllOnce(
                            tx.dsl(),
                            List.of("a"),
                            event -> event,
                            (own, fresh) -> calls.add(fresh)))
                    .containsExactly(DUPLICATE));
    assertThat(apply()).isEmpty();
    assertThat(calls).isEmpty();
  }

  @Test
  void consumers_doNotDisturbEachOther() {
    assertThat(apply("a", "b")).containsExactly(APPLIED, APPLIED);
    assertThat(apply(Inbox.of("shipping"), List.of("b", "c"))).containsExactly(APPLIED, APPLIED);
    assertThat(apply("b", "c")).containsExactly(DUPLICATE, APPLIED);
  }

  @Test
  void effect_thatFails_forgetsAllOfItsBatch() {
    assertThatThrownBy(
            () ->
                DB.dsl()
                    .transaction(
                        tx -> {
                          List<InboxOutcome> unreached =
                              BILLING.applyAllOnce(
                                  tx.dsl(),
                                  List.of("a", "b"),
                                  event -> event,
                                  (own, fresh) -> {
                                    throw new IllegalStateException("no luck");
                                  });
                          assertThat(unreached).isNull();
                        }))
        .hasMessage("no luck");
    assertThat(DB.dsl().fetchCount(INBOX)).isZero();
    assertThat(apply("a", "b")).containsExactly(APPLIED, APPLIED);
  }

  @Test
  void batch_isOneStatement_howeverLong() {
    List<String> many = IntStream.range(0, 3_000).mapToObj(i -> "e" + i).toList();
    Statements statements = new Statements();
    DB.dsl()
        .transaction(
            tx ->
                assertThat(
                        BILLING.applyAllOnce(
                            statements.listeningOn(tx.dsl()),
                            many,
                            event -> event,
                            (own, fresh) -> assertThat(fresh).hasSize(3_000)))
                    .containsOnly(APPLIED));
    assertThat(statements.executed()).hasSize(1);
  }

  @Test
  void batch_outsideATransactionOrWithABadId_isRefusedBeforeAnySql() {
    Statements statements = new Statements();
    DSLContext listening = statements.listeningOn(DB.dsl());
    assertThatThrownBy(() -> applyOn(listening, "a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Inbox.applyAllOnce");
    assertThatThrownBy(() -> applyOn(listening, "a", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(statements.executed()).isEmpty();
  }

  private void applyOn(DSLContext dsl, String... events) {
    List<InboxOutcome> unreached =
        BILLING.applyAllOnce(
            dsl, List.of(events), event -> event, (own, fresh) -> applied.addAll(fresh));
    assertThat(unreached).isNull();
  }

  @Test
  void batches_thatShareEventsInOtherOrders_doNotDeadlock() {
    for (int round = 0; round < 20; round++) {
      int number = round;
      List<String> events = IntStream.range(0, 50).mapToObj(i -> number + "-" + i).toList();
      List<String> reversed = new ArrayList<>(events);
      Collections.reverse(reversed);
      CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> applied(reversed));
      assertThat(applied(events) + other.join()).isEqualTo(50);
    }
  }

  private static long applied(List<String> events) {
    return DB.dsl()
        .transactionResult(
            tx ->
                BILLING.applyAllOnce(tx.dsl(), events, event -> event, (own, fresh) -> {}).stream()
                    .filter(outcome -> outcome == APPLIED)
                    .count());
  }
}

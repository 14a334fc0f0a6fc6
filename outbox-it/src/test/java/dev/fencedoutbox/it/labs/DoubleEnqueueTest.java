package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 001: enqueue is idempotent by construction. */
class DoubleEnqueueTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Outbox OUTBOX = Outbox.create();

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void enqueue_ofAKnownEvent_isANoOp_andTellsWhoCreatedIt() {
    assertThat(enqueue(by(1))).isEqualTo(EnqueueOutcome.CREATED);
    assertThat(enqueue(by(2))).isEqualTo(EnqueueOutcome.DUPLICATE);

    assertThat(storedPayload()).isEqualTo(payload(1));
    assertThat(dsl.fetchCount(DELIVERY)).isOne();
  }

  @Test
  void enqueue_ofAKnownEvent_leavesTheCallersTransactionAlive() {
    assertThat(enqueue(by(1))).isEqualTo(EnqueueOutcome.CREATED);

    dsl.transaction(
        tx -> {
          assertThat(OUTBOX.enqueue(tx.dsl(), by(2))).isEqualTo(EnqueueOutcome.DUPLICATE);
          tx.dsl()
              .insertInto(
                  CUSTOMER_ORDER, CUSTOMER_ORDER.ID, CUSTOMER_ORDER.CUSTOMER, CUSTOMER_ORDER.AMOUNT)
              .values("order-1", "somebody", BigDecimal.TEN)
              .execute();
        });

    assertThat(dsl.fetchCount(CUSTOMER_ORDER)).isOne();
  }

  @Test
  void enqueue_ofOneEventByManyAtOnce_hasExactlyOneCreator()
      throws InterruptedException, ExecutionException {
    int threads = 8;

    List<EnqueueOutcome> outcomes = Together.runNumbered(threads, number -> enqueue(by(number)));

    List<Integer> creators =
        IntStream.range(0, threads)
            .filter(number -> outcomes.get(number) == EnqueueOutcome.CREATED)
            .boxed()
            .toList();
    assertThat(creators).hasSize(1);
    assertThat(storedPayload()).as("what its creator said").isEqualTo(payload(creators.get(0)));
    assertThat(dsl.fetchCount(DELIVERY)).isOne();
  }

  @Test
  void enqueueAll_ofOneEventTwice_storesTheFirst() {
    List<EnqueueOutcome> outcomes =
        dsl.transactionResult(tx -> OUTBOX.enqueueAll(tx.dsl(), List.of(by(1), by(2))));

    assertThat(outcomes).containsExactly(EnqueueOutcome.CREATED, EnqueueOutcome.DUPLICATE);
    assertThat(storedPayload()).isEqualTo(payload(1));
    assertThat(dsl.fetchCount(DELIVERY)).isOne();
  }

  private EnqueueOutcome enqueue(Message message) {
    return dsl.transactionResult(tx -> OUTBOX.enqueue(tx.dsl(), message));
  }

  private static Message by(int producer) {
    return Fixtures.PLAIN.message(payload(producer)).eventId("event-001");
  }

  private static JSONB payload(int producer) {
    return JSONB.valueOf("{\"by\": " + producer + "}");
  }

  private JSONB storedPayload() {
    return dsl.select(MESSAGE.PAYLOAD_JSON).from(MESSAGE).fetchSingle().value1();
  }
}

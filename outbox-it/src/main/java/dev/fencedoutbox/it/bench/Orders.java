package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;

import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** The business: orders are taken, and messages say so. Thread-safe. */
final class Orders {

  private static final JSONB PAYLOAD = JSONB.valueOf(BenchDatabase.payload(Backlog.USUAL_BYTES));

  private final DSLContext dsl;
  private final Outbox outbox;

  Orders(DSLContext dsl, Outbox outbox) {
    this.dsl = dsl;
    this.outbox = outbox;
  }

  static String newId() {
    return UUID.randomUUID().toString();
  }

  /** An order alone. */
  void take() {
    dsl.transaction(tx -> insert(tx.dsl(), newId()));
  }

  /** An order and its message. */
  void takeAndSay(String id) {
    EnqueueOutcome outcome =
        dsl.transactionResult(
            tx -> {
              insert(tx.dsl(), id);
              return outbox.enqueue(tx.dsl(), message(id));
            });
    if (outcome != EnqueueOutcome.CREATED) {
      throw new IllegalStateException("Order " + id + " was said before.");
    }
  }

  /** So many messages. */
  void say(int messages) {
    List<Message> said = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      said.add(message(newId()));
    }
    List<EnqueueOutcome> outcomes = dsl.transactionResult(tx -> outbox.enqueueAll(tx.dsl(), said));
    if (outcomes.contains(EnqueueOutcome.DUPLICATE)) {
      throw new IllegalStateException("A message was said before.");
    }
  }

  private static void insert(DSLContext tx, String id) {
    tx.insertInto(CUSTOMER_ORDER, CUSTOMER_ORDER.ID, CUSTOMER_ORDER.CUSTOMER, CUSTOMER_ORDER.AMOUNT)
        .values(id, "a customer", BigDecimal.TEN)
        .execute();
  }

  private static Message message(String id) {
    return Library.TOPIC.message(PAYLOAD).eventId(id).channels(BenchDatabase.CHANNEL);
  }
}

package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static org.jooq.impl.DSL.inline;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.app.OrderPlaced;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;

/**
 * The billing side: applies each event once, through its inbox, in one transaction. Thread-safe.
 */
final class Billing {

  private final DSLContext dsl;
  private final Inbox inbox = Inbox.of("billing");
  private final ObjectMapper json = new ObjectMapper();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicInteger duplicates = new AtomicInteger();

  Billing(DSLContext dsl) {
    this.dsl = dsl;
  }

  /** Applies an event unless it has been; when this returns, that is committed. */
  void take(String eventId, byte[] payload) throws IOException {
    OrderPlaced order = json.readValue(payload, OrderPlaced.class);
    InboxOutcome outcome =
        dsl.transactionResult(tx -> inbox.applyOnce(tx.dsl(), eventId, own -> invoice(own, order)));
    received.incrementAndGet();
    if (outcome == InboxOutcome.DUPLICATE) {
      duplicates.incrementAndGet();
    }
  }

  /** Counts instead of refusing a second time, so that the reconciliation can see one. */
  private static void invoice(DSLContext tx, OrderPlaced order) {
    tx.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
        .values(order.orderId(), order.amount())
        .onConflict(INVOICE.ORDER_ID)
        .doUpdate()
        .set(INVOICE.APPLIED, INVOICE.APPLIED.plus(inline(1)))
        .execute();
  }

  /** Events taken, the same ones again included. */
  int received() {
    return received.get();
  }

  /** Events that had been applied before. */
  int duplicates() {
    return duplicates.get();
  }
}

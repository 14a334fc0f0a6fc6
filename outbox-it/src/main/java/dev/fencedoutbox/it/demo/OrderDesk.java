package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;

import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import org.jooq.DSLContext;

/** Takes orders: each order and its message in one transaction of the shop's own. */
final class OrderDesk {

  /** Where the messages are delivered. */
  static final Channel BILLING = Channel.of("billing");

  private final DSLContext dsl;
  private final Outbox outbox = Outbox.create();

  OrderDesk(DSLContext dsl) {
    this.dsl = dsl;
  }

  /** Places the order; a second one of the same id changes nothing and is a DUPLICATE. */
  EnqueueOutcome place(OrderPlaced order) {
    return dsl.transactionResult(
        tx -> {
          EnqueueOutcome outcome =
              outbox.enqueue(
                  tx.dsl(),
                  OrderPlaced.TOPIC
                      .message(order)
                      .eventId("order-" + order.orderId() + "-placed")
                      .channels(BILLING));
          if (outcome == EnqueueOutcome.CREATED) {
            tx.dsl()
                .insertInto(
                    CUSTOMER_ORDER,
                    CUSTOMER_ORDER.ID,
                    CUSTOMER_ORDER.CUSTOMER,
                    CUSTOMER_ORDER.AMOUNT)
                .values(order.orderId(), order.customer(), order.amount())
                .execute();
          }
          return outcome;
        });
  }
}

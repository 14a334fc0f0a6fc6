package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.util.List;
import org.jooq.DSLContext;

/**
 * What the database says at the end.
 *
 * @param receipts deliveries that were completed
 * @param reclaimed deliveries, completed or not, that were claimed more than once
 * @param left deliveries that still wait or are leased
 * @param dead deliveries that were given up
 * @param remembered events that billing's inbox knows
 * @param wrongOrders ids of orders without an invoice that was applied once and over their amount
 */
record Ledger(
    int orders,
    int messages,
    int receipts,
    int reclaimed,
    int left,
    int dead,
    int remembered,
    int invoices,
    List<String> wrongOrders) {

  static Ledger read(DSLContext dsl) {
    return new Ledger(
        dsl.fetchCount(CUSTOMER_ORDER),
        dsl.fetchCount(MESSAGE),
        dsl.fetchCount(RECEIPT),
        dsl.fetchCount(RECEIPT, RECEIPT.EPOCH.gt(1L))
            + dsl.fetchCount(DELIVERY, DELIVERY.EPOCH.gt(1L)),
        dsl.fetchCount(DELIVERY, DELIVERY.STATUS.ne(DeliveryStatus.DEAD)),
        dsl.fetchCount(DELIVERY, DELIVERY.STATUS.eq(DeliveryStatus.DEAD)),
        dsl.fetchCount(INBOX),
        dsl.fetchCount(INVOICE),
        wrongOrders(dsl));
  }

  private static List<String> wrongOrders(DSLContext dsl) {
    return dsl.select(CUSTOMER_ORDER.ID)
        .from(CUSTOMER_ORDER)
        .leftJoin(INVOICE)
        .on(
            INVOICE
                .ORDER_ID
                .eq(CUSTOMER_ORDER.ID)
                .and(INVOICE.APPLIED.eq(1))
                .and(INVOICE.AMOUNT.eq(CUSTOMER_ORDER.AMOUNT)))
        .where(INVOICE.ORDER_ID.isNull())
        .orderBy(CUSTOMER_ORDER.ID)
        .fetch(CUSTOMER_ORDER.ID);
  }

  int appliedOnce() {
    return orders - wrongOrders.size();
  }
}

package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.math.BigDecimal;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each test breaks one thing in a run that went well. */
class ReconciliationTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();
  private final Leases leases = Leases.ownedBy("reconciliation");

  @BeforeEach
  void twoOrdersAppliedOnceOneOfThemReclaimed() {
    DB.clear();
    place("1");
    Fixtures.expireDelivery(dsl, claim().key());
    complete(claim());
    place("2");
    complete(claim());
    bill("1");
    bill("2");
  }

  @Test
  void problems_everyOrderAppliedOnce_areNone() {
    assertThat(problems()).isEmpty();
  }

  @Test
  void problems_missingInvoice_namesTheOrder() {
    dsl.deleteFrom(INVOICE).where(INVOICE.ORDER_ID.eq("2")).execute();

    assertThat(problems())
        .containsExactly(
            "2 orders were written and there are 1 invoices",
            "1 orders have no invoice that was applied once and over their amount: 2");
  }

  @Test
  void problems_appliedTwice_namesTheOrder() {
    dsl.update(INVOICE).set(INVOICE.APPLIED, 2).where(INVOICE.ORDER_ID.eq("1")).execute();

    assertThat(problems())
        .containsExactly("1 orders have no invoice that was applied once and over their amount: 1");
  }

  @Test
  void problems_anotherAmount_namesTheOrder() {
    dsl.update(INVOICE)
        .set(INVOICE.AMOUNT, new BigDecimal("9.99"))
        .where(INVOICE.ORDER_ID.eq("1"))
        .execute();

    assertThat(problems())
        .containsExactly("1 orders have no invoice that was applied once and over their amount: 1");
  }

  @Test
  void problems_invoiceOfNoOrder_isCounted() {
    dsl.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT).values("3", BigDecimal.ONE).execute();

    assertThat(problems()).containsExactly("2 orders were written and there are 3 invoices");
  }

  @Test
  void problems_orderLost_isCounted() {
    dsl.deleteFrom(CUSTOMER_ORDER).where(CUSTOMER_ORDER.ID.eq("2")).execute();

    assertThat(problems()).containsExactly("2 orders were written and there are 1 orders");
  }

  @Test
  void problems_forgottenByTheInbox_isCounted() {
    dsl.deleteFrom(INBOX).where(INBOX.EVENT_ID.eq("order-2-placed")).execute();

    assertThat(problems())
        .containsExactly("2 orders were written and there are 1 events in the inbox");
  }

  @Test
  void problems_deliveryLeftOver_isCounted() {
    Fixtures.enqueue(dsl, Fixtures.message("left").channels(OrderDesk.BILLING));

    assertThat(problems())
        .containsExactly(
            "2 orders were written and there are 3 messages", "1 deliveries are left over");
  }

  @Test
  void problems_deadDelivery_isCounted() {
    Fixtures.enqueue(dsl, Fixtures.message("dead").channels(OrderDesk.BILLING));
    assertThat(leases.bury(dsl, claim(), "given up")).isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(problems())
        .containsExactly("2 orders were written and there are 3 messages", "1 deliveries are DEAD");
  }

  @Test
  void problems_noFaultTookPlace_isNoRehearsal() {
    dsl.update(RECEIPT).set(RECEIPT.EPOCH, 1L).execute();

    assertThat(reconciliation(0, 0).problems())
        .containsExactly(
            "no delivery was reclaimed, though a relay was killed: nothing was rehearsed",
            "no late write was refused or dropped, though a relay was frozen: nothing was"
                + " rehearsed");
  }

  @Test
  void problems_lateWriteDroppedByTheRelayItself_isARehearsal() {
    assertThat(reconciliation(0, 1).problems()).isEmpty();
  }

  private List<String> problems() {
    return reconciliation(1, 0).problems();
  }

  private Reconciliation reconciliation(int refused, int lost) {
    return new Reconciliation(new Intake(2, 0, 0, 2), Ledger.read(dsl), 3, 1, refused, lost);
  }

  private void place(String id) {
    assertThat(new OrderDesk(dsl).place(order(id))).isEqualTo(EnqueueOutcome.CREATED);
  }

  private Lease<Long> claim() {
    return Fixtures.only(
        leases.claim(dsl, Outbox.create().deliveries(OrderDesk.BILLING), Fixtures.LONG, 10));
  }

  private void complete(Lease<Long> lease) {
    assertThat(leases.complete(dsl, lease)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  private void bill(String id) {
    InboxOutcome outcome =
        dsl.transactionResult(
            tx ->
                Inbox.of("billing")
                    .applyOnce(
                        tx.dsl(),
                        "order-" + id + "-placed",
                        own ->
                            own.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                                .values(id, order(id).amount())
                                .execute()));
    assertThat(outcome).isEqualTo(InboxOutcome.APPLIED);
  }

  private static OrderPlaced order(String id) {
    return new OrderPlaced(id, "Ann", new BigDecimal("10.50"));
  }
}

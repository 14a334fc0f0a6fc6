package dev.fencedoutbox.it.kafka;

import static dev.fencedoutbox.inbox.InboxOutcome.APPLIED;
import static dev.fencedoutbox.inbox.InboxOutcome.DUPLICATE;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.kafka.KafkaHeaders;
import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/**
 * The test that article 000 asks for: <i>stop a publisher after acknowledgment but before recording
 * SENT, then observe redelivery using the unchanged event ID</i>.
 */
class KilledAfterAcknowledgementTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final KafkaBroker BROKER = KafkaBroker.shared();

  @Test
  void
      publisher_killedAfterTheAcknowledgementAndBeforeItsRecord_sendsTheSameEventAgain_whichTheInboxAppliesOnce() {
    BROKER.createTopic("plain", 3, Map.of());
    enqueue(DB.dsl(), message("event-001").orderingKey("order-17"));
    try (ChildJvm publisher = ChildJvm.start(PublisherChild.class, DB.url(), BROKER.address())) {
      publisher.await("ACKNOWLEDGED");
      assertThat(BROKER.records("plain")).hasSize(1);
      assertThat(publisher.kill()).isEqualTo(ChildJvm.KILLED);
    }
    DeliveryRecord abandoned = DB.dsl().fetchSingle(DELIVERY);
    assertThat(abandoned.getStatus()).isEqualTo(DeliveryStatus.INPROGRESS);
    assertThat(abandoned.getLeaseOwner()).isEqualTo("killed");
    assertThat(DB.dsl().fetchCount(RECEIPT)).isZero();

    expireDelivery(DB.dsl(), abandoned.getId());
    redeliver();

    List<ConsumerRecord<byte[], byte[]>> arrived = BROKER.records("plain");
    assertThat(arrived).extracting(Arrivals::eventId).containsExactly("event-001", "event-001");
    assertThat(arrived)
        .extracting(record -> KafkaBroker.headers(record).get(KafkaHeaders.EPOCH))
        .containsExactly("1", "2");
    assertThat(arrived)
        .extracting(record -> KafkaBroker.headers(record).get(KafkaHeaders.DELIVERY_ID))
        .containsOnly(Long.toString(abandoned.getId()));
    assertThat(arrived.stream().map(KilledAfterAcknowledgementTest::consume))
        .containsExactly(APPLIED, DUPLICATE);
    assertThat(DB.dsl().fetchSingle(INVOICE).getApplied()).isEqualTo(1);
  }

  private static void redeliver() {
    try (KafkaPublisher publisher = KafkaPublisher.from(BROKER.patient()).open();
        SteppedRelay relay =
            Relay.from(DB.pool())
                .options(RelayOptions.defaults().withLeaseFor(KafkaBroker.LEASE))
                .onAnyTopicInBatches(500, publisher)
                .stepByStep()) {
      relay.runUntilEmpty();
      assertThat(relay.counters().reclaimed()).isEqualTo(1);
      assertThat(relay.counters().delivered()).as("%s", DB.dsl().fetch(DELIVERY)).isEqualTo(1);
    }
  }

  /** The consumer: its effect and its memory of the event are one transaction. */
  private static InboxOutcome consume(ConsumerRecord<byte[], byte[]> record) {
    return DB.dsl()
        .transactionResult(
            tx ->
                Inbox.of("billing")
                    .applyOnce(
                        tx.dsl(),
                        Arrivals.eventId(record),
                        KilledAfterAcknowledgementTest::applyInvoice));
  }

  private static void applyInvoice(DSLContext tx) {
    tx.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
        .values("order-17", BigDecimal.TEN)
        .onConflict(INVOICE.ORDER_ID)
        .doUpdate()
        .set(INVOICE.APPLIED, INVOICE.APPLIED.plus(1))
        .execute();
  }
}

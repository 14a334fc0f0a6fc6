package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.kafka.KafkaHeaders;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Proofs.LEFT_OUT)
class KafkaReaderTest {
  private static final TestDatabase DB = TestDatabase.create();
  private static final KafkaBroker BROKER = KafkaBroker.shared();
  private static final String TOPIC = "billed";

  private final DSLContext dsl = DB.dsl();
  private final Billing billing = new Billing(dsl);

  /** Its offsets are committed after the transactions, so one that failed is read again. */
  @Test
  void reader_eventThatCannotBeApplied_endsAndReadsItAgainLater_andAppliesOthersOnce()
      throws ExecutionException, InterruptedException {
    BROKER.createTopic(TOPIC, 1, Map.of());
    dsl.execute("alter table shop.invoice rename to invoice_gone");
    send("order-1-placed", "order-1-placed");
    try (KafkaLag lag = new KafkaLag(BROKER.address(), KafkaReader.GROUP, TOPIC, 1)) {
      try (KafkaReader reader = read()) {
        await()
            .untilAsserted(
                () ->
                    assertThatThrownBy(reader::requireReading)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("Billing reads no more: "));
      }
      assertThat(lag.isNone()).isFalse();
      dsl.execute("alter table shop.invoice_gone rename to invoice");

      try (KafkaReader reader = read()) {
        await().until(lag::isNone);
        reader.requireReading();
      }
    }
    assertThat(billing.received()).isEqualTo(2);
    assertThat(billing.duplicates()).isEqualTo(1);
    assertThat(dsl.fetchSingle(INVOICE).getApplied()).isEqualTo(1);
  }

  private KafkaReader read() {
    return KafkaReader.start(BROKER.address(), TOPIC, billing);
  }

  private static void send(String... eventIds) throws ExecutionException, InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", BROKER.address()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String eventId : eventIds) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(
                TOPIC,
                "{\"orderId\": \"1\", \"customer\": \"Ann\", \"amount\": 10.50}".getBytes(UTF_8));
        record.headers().add(KafkaHeaders.EVENT_ID, eventId.getBytes(UTF_8));
        Object unused = producer.send(record).get();
      }
    }
  }
}

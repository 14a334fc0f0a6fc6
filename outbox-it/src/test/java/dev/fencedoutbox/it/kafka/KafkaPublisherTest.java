package dev.fencedoutbox.it.kafka;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.kafka.KafkaHeaders;
import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a broker is sent, and what is made of its answers. */
class KafkaPublisherTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final KafkaBroker BROKER = KafkaBroker.shared();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** Delivers all that is due. */
  private static void deliver(Function<Delivery, String> destination) {
    try (KafkaPublisher publisher =
            KafkaPublisher.from(BROKER.patient()).destination(destination).open();
        SteppedRelay relay = relay(publisher).stepByStep()) {
      relay.runUntilEmpty();
    }
  }

  /** What failed is not due again while the test lasts. */
  private static RelayBuilder relay(KafkaPublisher publisher) {
    return relay(publisher, Duration.ofHours(1));
  }

  private static RelayBuilder relay(KafkaPublisher publisher, Duration pause) {
    return Relay.from(DB.pool())
        .options(
            RelayOptions.defaults()
                .withLeaseFor(KafkaBroker.LEASE)
                .withBackoff(Backoff.fixed(pause)))
        .onAnyTopicInBatches(500, publisher);
  }

  private static ConsumerRecord<byte[], byte[]> only(String topic) {
    assertThat(BROKER.records(topic)).hasSize(1);
    return BROKER.records(topic).get(0);
  }

  private static String lastError(String eventId) {
    return DB.dsl()
        .select(DELIVERY.LAST_ERROR)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(eventId))
        .fetchSingle(DELIVERY.LAST_ERROR);
  }

  /** Event id, status and attempts of each delivery that is not done, in their order. */
  private static List<String> left() {
    return DB.dsl()
        .select(MESSAGE.EVENT_ID, DELIVERY.STATUS, DELIVERY.ATTEMPTS)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .orderBy(DELIVERY.ID)
        .fetch(row -> row.value1() + " " + row.value2() + " " + row.value3());
  }

  @Test
  void record_hasTheOrderingKeyAsItsKey_thePayloadAsItsValue_andSaysWhichDeliveryItIs() {
    BROKER.createTopic("order.placed", 3, Map.of());
    Topic<JSONB> placed =
        Topic.json("order.placed", Converter.of(JSONB.class, JSONB.class, from -> from, to -> to));
    enqueue(
        DB.dsl(),
        placed
            .message(JSONB.valueOf("{\"customer\": \"Zoë\"}"))
            .eventId("order-17-placed")
            .orderingKey("Straße 17")
            .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .header("tracestate", "vendor=x")
            .header("tenant", "Łódź")
            .header(KafkaHeaders.EPOCH, "forged"));
    long id = DB.dsl().fetchSingle(DELIVERY).getId();

    deliver(Delivery::topic);

    ConsumerRecord<byte[], byte[]> record = only("order.placed");
    assertThat(new String(record.key(), UTF_8)).isEqualTo("Straße 17");
    assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"customer\": \"Zoë\"}");
    assertThat(KafkaBroker.headers(record))
        .isEqualTo(
            Map.of(
                "outbox-event-id", "order-17-placed",
                "outbox-delivery-id", Long.toString(id),
                "outbox-epoch", "1",
                "outbox-attempt", "1",
                "outbox-topic", "order.placed",
                "content-type", "application/json",
                "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "tracestate", "vendor=x",
                "tenant", "Łódź"));
    assertThat(left()).isEmpty();
  }

  @Test
  void record_ofBytesWithoutAnOrderingKey_hasThemToTheLetterAndNoKey() {
    BROKER.createTopic("image.taken", 1, Map.of());
    byte[] image = {0, -1, 'x', 0x7f, -128};
    Topic<byte[]> taken =
        Topic.bytes(
            "image.taken",
            "image/png",
            Converter.of(byte[].class, byte[].class, from -> from, to -> to));
    enqueue(DB.dsl(), taken.message(image).eventId("image-1"));

    deliver(Delivery::topic);

    ConsumerRecord<byte[], byte[]> record = only("image.taken");
    assertThat(record.key()).isNull();
    assertThat(record.value()).isEqualTo(image);
    assertThat(KafkaBroker.headers(record)).containsEntry("content-type", "image/png");
  }

  @Test
  void destination_isWhereTheHostWantsIt() {
    BROKER.createTopic("shop-events", 1, Map.of());
    enqueue(DB.dsl(), message("m1"));

    deliver(delivery -> "shop-events");

    assertThat(KafkaBroker.headers(only("shop-events"))).containsEntry("outbox-topic", "plain");
  }

  enum Refusal {
    TOO_LARGE_FOR_THE_BROKER(
        "RecordTooLargeException", "larger than the max message size the server will accept") {
      @Override
      String topic() {
        BROKER.createTopic("small", 1, Map.of("max.message.bytes", "100"));
        return "small";
      }
    },
    UNAUTHORISED("TopicAuthorizationException", "Not authorized to access topics: [forbidden]") {
      @Override
      String topic() {
        BROKER.createTopic("forbidden", 1, Map.of());
        BROKER.forbidWriting("forbidden");
        return "forbidden";
      }
    },
    INVALID_TOPIC("InvalidTopicException", "no topic") {
      @Override
      String topic() {
        return "no topic";
      }
    },
    INVALID_RECORD("InvalidRecordException", "cannot accept message without key") {
      @Override
      String topic() {
        BROKER.createTopic("compacted", 1, Map.of("cleanup.policy", "compact"));
        return "compacted";
      }
    };

    private final String exception;
    private final String brokersReason;

    Refusal(String exception, String brokersReason) {
      this.exception = exception;
      this.brokersReason = brokersReason;
    }

    /** A topic that refuses a record without a key. */
    abstract String topic();
  }

  @ParameterizedTest
  @EnumSource
  void record_thatIsRefusedForGood_isBuriedWithTheBrokersReason(Refusal refusal) {
    String topic = refusal.topic();
    enqueue(DB.dsl(), message("m1"));

    deliver(delivery -> topic);

    assertThat(left()).containsExactly("m1 DEAD 1");
    assertThat(lastError("m1"))
        .startsWith(refusal.exception + " on Kafka topic " + topic + ": ")
        .contains(refusal.brokersReason);
  }

  @Test
  void record_thatTheClientFindsTooLarge_isBuriedWithBothSizes() {
    BROKER.createTopic("large", 1, Map.of());
    enqueue(DB.dsl(), PLAIN.message(text(1_100_000)).eventId("m1"));

    deliver(delivery -> "large");

    assertThat(left()).containsExactly("m1 DEAD 1");
    assertThat(lastError("m1")).contains("1100").contains("larger than 1048576");
  }

  private static JSONB text(int length) {
    return JSONB.valueOf("\"" + "x".repeat(length) + "\"");
  }

  @Test
  void unknownTopic_isRetried_andHoldsUpNoOtherTopic() {
    BROKER.createTopic("known", 1, Map.of());
    Map<String, Object> impatient = new HashMap<>(BROKER.patient());
    impatient.put("max.block.ms", 500);
    try (KafkaPublisher publisher =
            KafkaPublisher.from(impatient)
                .destination(delivery -> delivery.eventId().split("-", -1)[0])
                .open();
        SteppedRelay first = relay(publisher, Duration.ZERO).stepByStep();
        SteppedRelay relay = relay(publisher).stepByStep()) {
      enqueue(DB.dsl(), message("known-0"));
      await()
          .pollInSameThread()
          .atMost(Duration.ofSeconds(60))
          .until(() -> first.runUntilEmpty() >= 0 && first.counters().delivered() == 1);
      enqueue(DB.dsl(), message("unknown-1"), message("unknown-2"), message("known-1"));
      relay.runUntilEmpty();
    }
    assertThat(left()).containsExactly("unknown-1 READY 1", "unknown-2 READY 1");
    assertThat(lastError("unknown-1"))
        .isEqualTo(
            "TimeoutException on Kafka topic unknown: Topic unknown not present in metadata after"
                + " 500 ms.");
    assertThat(lastError("unknown-2")).isEqualTo("Not sent after " + lastError("unknown-1"));
  }

  /** Case 27: what comes after a record that is too large does not overtake it. */
  @Test
  void record_thatFailsInTheMiddleOfItsKey_isOvertakenByNone_andOtherKeysGoOn() {
    BROKER.createTopic("ordered", 4, Map.of("max.message.bytes", "1000"));
    enqueue(
        DB.dsl(),
        IntStream.range(0, 60)
            .mapToObj(i -> PLAIN.message(text(i == 33 ? 2_000 : 10)).eventId("m%02d".formatted(i)))
            .toList()
            .stream()
            .map(
                message ->
                    message.orderingKey("k" + Integer.parseInt(message.eventId().substring(1)) % 6))
            .toArray(Message[]::new));

    deliver(delivery -> "ordered");

    Map<String, List<String>> arrived = Arrivals.byKey(BROKER.records("ordered"));
    for (int key = 0; key < 6; key++) {
      int mine = key;
      assertThat(arrived.get("k" + key))
          .containsExactlyElementsOf(
              IntStream.range(0, 60)
                  .filter(i -> i % 6 == mine && (mine != 3 || i < 33))
                  .mapToObj("m%02d"::formatted)
                  .toList());
    }
    assertThat(left())
        .containsExactly("m33 DEAD 1", "m39 READY 0", "m45 READY 0", "m51 READY 0", "m57 READY 0");
  }
}

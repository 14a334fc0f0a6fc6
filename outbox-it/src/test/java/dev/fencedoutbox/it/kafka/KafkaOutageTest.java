package dev.fencedoutbox.it.kafka;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.kafka.KafkaHeaders;
import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that hangs, and one that dies and comes back. */
@Tag(Proofs.LEFT_OUT)
class KafkaOutageTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final KafkaBroker BROKER = KafkaBroker.shared();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** Gives up soon, so that an outage is felt soon. */
  private static KafkaPublisher publisher(String topic) {
    Map<String, Object> properties = new HashMap<>(BROKER.patient());
    properties.put("max.block.ms", 1_000);
    properties.put("request.timeout.ms", 500);
    properties.put("delivery.timeout.ms", 1_000);
    properties.put("reconnect.backoff.max.ms", 100);
    return KafkaPublisher.from(properties).destination(delivery -> topic).open();
  }

  private static RelayBuilder relay(KafkaPublisher publisher) {
    return Relay.from(DB.pool())
        .options(
            RelayOptions.defaults()
                .withAttemptBudget(1_000)
                .withBackoff(Backoff.fixed(Duration.ZERO)))
        .onAnyTopicInBatches(500, publisher);
  }

  @Test
  void frozenBroker_acknowledgesNothing_soNothingIsDelivered_untilItThaws() {
    BROKER.createTopic("frozen", 1, Map.of());
    try (KafkaPublisher publisher = publisher("frozen");
        SteppedRelay relay = relay(publisher).stepByStep()) {
      enqueue(DB.dsl(), message("before"));
      relay.runUntilEmpty();
      enqueue(DB.dsl(), message("during"));
      BROKER.freeze();
      try {
        relay.claim();
        relay.deliver();
        relay.record();
      } finally {
        BROKER.thaw();
      }
      assertThat(relay.counters().delivered()).as("the one before").isEqualTo(1);
      assertThat(DB.dsl().fetchSingle(DELIVERY).getLastError())
          .startsWith("TimeoutException on Kafka topic frozen: ");

      relay.runUntilEmpty();
      assertThat(relay.counters().delivered()).isEqualTo(2);
    }
    List<ConsumerRecord<byte[], byte[]>> arrived = BROKER.records("frozen");
    assertThat(arrived.stream().map(Arrivals::eventId).distinct())
        .containsExactly("before", "during");
    assertThat(KafkaBroker.headers(arrived.get(arrived.size() - 1)))
        .doesNotContainEntry(KafkaHeaders.ATTEMPT, "1");
  }

  @Test
  void broker_killedAndRestarted_losesNothing_andEachKeyKeepsItsOrder() {
    BROKER.createTopic("outage", 3, Map.of());
    try (KafkaPublisher publisher = publisher("outage");
        Relay relay = relay(publisher).start()) {
      enqueue(DB.dsl(), messages(0, 40));
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() > 0);
      BROKER.kill();
      enqueue(DB.dsl(), messages(40, 80));
      await().atMost(PATIENCE).until(() -> relay.counters().retried() > 0);
      long deliveredBefore = relay.counters().delivered();
      assertThat(deliveredBefore).isLessThan(80);
      BROKER.restart();
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 80);
      assertThat(relay.counters().buried()).isZero();
    }
    assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
    Map<String, List<String>> arrived = Arrivals.byKey(BROKER.records("outage"));
    for (int key = 0; key < 4; key++) {
      int mine = key;
      assertThat(arrived.getOrDefault("k" + key, List.of()).stream().distinct())
          .containsExactlyElementsOf(
              IntStream.range(0, 80)
                  .filter(i -> i % 4 == mine)
                  .mapToObj(KafkaOutageTest::eventId)
                  .toList());
    }
  }

  private static String eventId(int number) {
    return "m%02d".formatted(number);
  }

  private static Message[] messages(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> message(eventId(i)).orderingKey("k" + i % 4))
        .toArray(Message[]::new);
  }
}

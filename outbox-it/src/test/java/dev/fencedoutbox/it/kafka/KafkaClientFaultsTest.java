package dev.fencedoutbox.it.kafka;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.kafka.KafkaPublisherBuilder;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.DeliveryOutcome.Bury;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.DeliveryOutcome.Retry;
import dev.fencedoutbox.relay.Received;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the producer does that a broker cannot be made to do to it, by Kafka's own test producer.
 */
class KafkaClientFaultsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ManualClock clock = new ManualClock();
  private final List<ScriptedProducer> producers = new ArrayList<>();
  private final SteppedRelay relay =
      Relay.from(DB.pool())
          .nanoClock(clock)
          .options(RelayOptions.defaults().withLeaseFor(LEASE))
          .onAnyTopic((delivery, attempt) -> DeliveryOutcome.delivered())
          .stepByStep();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @AfterEach
  void handBack() {
    relay.close();
  }

  private KafkaPublisherBuilder publisher(Script script) {
    return publisher(script, Map.of());
  }

  private KafkaPublisherBuilder publisher(Script script, Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", "unused:1");
    return KafkaPublisher.from(properties)
        .producers(
            checked -> {
              ScriptedProducer made = new ScriptedProducer(script);
              producers.add(made);
              return made;
            });
  }

  /** Claims the messages as one batch. */
  private List<Received<Delivery>> claimed(Message... messages) {
    enqueue(DB.dsl(), messages);
    assertThat(relay.claim()).isEqualTo(messages.length);
    return relay.waiting().stream()
        .sorted(Comparator.comparing(attempt -> attempt.delivery().id()))
        .map((Attempt attempt) -> new Received<>(attempt.delivery(), attempt))
        .toList();
  }

  private List<Received<Delivery>> claimedUnderOneKey(int count) {
    return claimed(
        IntStream.range(0, count)
            .mapToObj(i -> message("m" + i).orderingKey("k"))
            .toArray(Message[]::new));
  }

  private List<String> sent() {
    return producers.stream()
        .flatMap(producer -> producer.history().stream())
        .map(ScriptedProducer::eventId)
        .toList();
  }

  private static String reason(DeliveryOutcome outcome) {
    if (outcome instanceof Retry retry) {
      return retry.reason();
    }
    return ((Bury) outcome).reason();
  }

  @Test
  void key_hasOneRecordUnderWayAtATime_andKeysAndKeylessRecordsGoBesideEachOther() {
    List<Received<Delivery>> batch =
        claimed(
            message("a0").orderingKey("a"),
            message("a1").orderingKey("a"),
            message("b0").orderingKey("b"),
            message("b1").orderingKey("b"),
            message("x"),
            message("y"));
    try (KafkaPublisher publisher = publisher(Script.SILENT).open()) {
      CompletableFuture<List<DeliveryOutcome>> call =
          CompletableFuture.supplyAsync(() -> publisher.handle(batch));
      await().until(() -> sent().size() == 4);
      assertThat(sent()).containsExactlyInAnyOrder("a0", "b0", "x", "y");
      ScriptedProducer producer = producers.get(0);
      producer.acknowledge("b0");
      await().until(() -> sent().size() == 5);
      assertThat(sent()).contains("b1").doesNotContain("a1");
      Stream.of("x", "y", "b1", "a0").forEach(producer::acknowledge);
      await().until(() -> sent().size() == 6);
      producer.acknowledge("a1");
      assertThat(Together.resultOf(call)).hasSize(6).containsOnly(DeliveryOutcome.delivered());
    }
  }

  @Test
  void record_thatFails_isFollowedByNoneOfItsKey() {
    List<Received<Delivery>> batch = claimedUnderOneKey(3);
    try (KafkaPublisher publisher =
        publisher(Script.failing("m1", new NotEnoughReplicasException("1 of 2"))).open()) {
      List<DeliveryOutcome> outcomes = publisher.handle(batch);

      assertThat(sent()).containsExactly("m0", "m1");
      assertThat(outcomes.get(0)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(outcomes.get(1))
          .isEqualTo(
              DeliveryOutcome.retry("NotEnoughReplicasException on Kafka topic plain: 1 of 2"));
      assertThat(outcomes.get(2))
          .isEqualTo(
              DeliveryOutcome.release(
                  "Not sent: one before it of its ordering key was not delivered."));
    }
  }

  static List<RuntimeException> ofTheRecord() {
    return List.of(
        new RecordTooLargeException("too large"), new TopicAuthorizationException("forbidden"));
  }

  @ParameterizedTest
  @MethodSource("ofTheRecord")
  void failureOfTheRecord_buriesIt_andNoOther(RuntimeException failure) {
    List<Received<Delivery>> batch = claimed(message("m0"), message("m1"));
    try (KafkaPublisher publisher = publisher(Script.failing("m0", failure)).open()) {
      List<DeliveryOutcome> outcomes = publisher.handle(batch);

      assertThat(outcomes.get(0)).isInstanceOf(Bury.class);
      assertThat(reason(outcomes.get(0)))
          .isEqualTo(
              failure.getClass().getSimpleName()
                  + " on Kafka topic plain: "
                  + failure.getMessage());
      assertThat(outcomes.get(1)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(producers).hasSize(1);
    }
  }

  static List<RuntimeException> passing() {
    return List.of(
        new TimeoutException("Expiring 1 record(s)"),
        new CorruptRecordException("on the way"),
        new OutOfOrderSequenceException("the producer mends it by a new epoch"),
        new UnknownServerException("whatever"),
        new KafkaException("it was part of a batch which had one more more invalid records"));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void failureThatMayPass_isRetriedByTheSameProducer(RuntimeException failure) {
    List<Received<Delivery>> batch = claimed(message("m0"));
    try (KafkaPublisher publisher = publisher(Script.failing("m0", failure)).open()) {
      assertThat(publisher.handle(batch)).singleElement().isInstanceOf(Retry.class);
      publisher.handle(batch);
      assertThat(producers).hasSize(1);
    }
  }

  static List<RuntimeException> deadly() {
    return List.of(
        new SaslAuthenticationException("password changed"),
        new ClusterAuthorizationException("not authorized to do idempotent sends"),
        new ProducerFencedException("fenced"),
        new UnsupportedVersionException("an old broker"),
        new KafkaException("we are in an error state", new IllegalStateException("since then")),
        new IllegalStateException("Cannot perform operation after producer has been closed"));
  }

  @ParameterizedTest
  @MethodSource("deadly")
  void producer_thatIsDead_isReplaced_andTheRecordIsRetried(RuntimeException failure) {
    List<Received<Delivery>> batch = claimed(message("m0"));
    List<RuntimeException> once = new ArrayList<>(List.of(failure));
    try (KafkaPublisher publisher =
        publisher(
                (producer, record) ->
                    producer.answer(record, once.isEmpty() ? null : once.remove(0)))
            .open()) {
      assertThat(publisher.handle(batch)).singleElement().isInstanceOf(Retry.class);
      await().until(() -> producers.get(0).closed());

      assertThat(publisher.handle(batch)).containsExactly(DeliveryOutcome.delivered());
      assertThat(producers).hasSize(2);
    }
    assertThat(producers.get(1).closed()).isTrue();
  }

  @Test
  void producer_thatWasClosedByOthers_isReplaced() {
    List<Received<Delivery>> batch = claimed(message("m0"));
    try (KafkaPublisher publisher = publisher(Script.ACKNOWLEDGING).open()) {
      producers.get(0).close();
      assertThat(publisher.handle(batch)).singleElement().isInstanceOf(Retry.class);
      assertThat(publisher.handle(batch)).containsExactly(DeliveryOutcome.delivered());
    }
  }

  /** Such as one whose thread has ended by an Error: nothing would ever end the wait. */
  @Test
  void producer_thatDoesNotAnswerInTime_isReplaced() {
    List<Received<Delivery>> batch = claimed(message("m0"));
    Map<String, Object> short_ =
        Map.of("max.block.ms", 1, "delivery.timeout.ms", 1, "request.timeout.ms", 1);
    try (KafkaPublisher publisher = publisher(Script.SILENT, short_).open()) {
      assertThat(publisher.handle(batch))
          .singleElement()
          .isEqualTo(
              DeliveryOutcome.retry(
                  "Kafka had not acknowledged it when the wait ended; it may arrive."));
      await().until(() -> producers.get(0).closed());
    }
  }

  /** Its thread may be what is stuck, and to close is to wait for that. */
  @Test
  void producer_thatIsReplaced_isNotWaitedFor() {
    CountDownLatch letGo = new CountDownLatch(1);
    List<Received<Delivery>> batch = claimed(message("m0"));
    try (KafkaPublisher publisher =
        KafkaPublisher.from(Map.of("bootstrap.servers", "unused:1"))
            .producers(
                checked -> {
                  ScriptedProducer made =
                      producers.isEmpty()
                          ? new StuckProducer(new ProducerFencedException("fenced"), letGo)
                          : new ScriptedProducer(Script.ACKNOWLEDGING);
                  producers.add(made);
                  return made;
                })
            .open()) {
      assertThat(publisher.handle(batch)).singleElement().isInstanceOf(Retry.class);
      assertThat(publisher.handle(batch)).containsExactly(DeliveryOutcome.delivered());
    } finally {
      letGo.countDown();
    }
  }

  /** An instrumented producer can do so. */
  @Test
  void record_thatIsAnsweredTwice_isFollowedOnce() {
    List<Received<Delivery>> batch =
        claimed(
            message("a0").orderingKey("a"),
            message("a1").orderingKey("a"),
            message("a2").orderingKey("a"),
            message("x"));
    Script twice =
        (producer, record) -> {
          if (ScriptedProducer.eventId(record).equals("a0")) {
            throw new KafkaException("after it was sent");
          } else if (ScriptedProducer.eventId(record).equals("x")) {
            producer.acknowledge("a0");
            producer.acknowledge("x");
          }
        };
    try (KafkaPublisher publisher = publisher(twice).open()) {
      CompletableFuture<List<DeliveryOutcome>> call =
          CompletableFuture.supplyAsync(() -> publisher.handle(batch));
      await().until(() -> sent().contains("a1"));
      ScriptedProducer producer = producers.get(0);
      producer.acknowledge("a1");
      await().until(() -> sent().contains("a2"));
      producer.acknowledge("a2");
      assertThat(Together.resultOf(call)).containsOnly(DeliveryOutcome.delivered());
      assertThat(sent()).containsExactly("a0", "x", "a1", "a2");
    }
  }

  @Test
  void topicThatBlocks_isNotTriedAgainInThisCall_andOthersAre() {
    List<Received<Delivery>> batch = claimed(message("m0"), message("m1"), message("m2"));
    try (KafkaPublisher publisher =
        publisher(Script.failing("m0", new TimeoutException("not present in metadata")))
            .destination(delivery -> delivery.eventId().equals("m2") ? "other" : "blocked")
            .open()) {
      List<DeliveryOutcome> outcomes = publisher.handle(batch);

      assertThat(sent()).containsExactly("m0", "m2");
      assertThat(outcomes.get(1))
          .isEqualTo(
              DeliveryOutcome.retry(
                  "Not sent after TimeoutException on Kafka topic blocked: not present in metadata"));
      assertThat(outcomes.get(2)).isEqualTo(DeliveryOutcome.delivered());
    }
  }

  @Test
  void nextRecordOfAKey_isNotBegun_whenTheLeaseMightNotLast_andIsHandedBack() {
    List<Received<Delivery>> batch = claimedUnderOneKey(3);
    try (KafkaPublisher publisher =
        publisher(
                (producer, record) -> {
                  clock.advance(Duration.ofSeconds(10));
                  producer.answer(record, null);
                })
            .open()) {
      assertThat(publisher.longest()).isEqualTo(Duration.ofSeconds(16));
      List<DeliveryOutcome> outcomes = publisher.handle(batch);

      assertThat(sent()).as("20 s are left, then 10").containsExactly("m0", "m1");
      assertThat(outcomes.get(2))
          .isEqualTo(DeliveryOutcome.release("Not sent: its lease might not have lasted."));
    }
  }

  /** Else a batch that waited for its turn would never be sent. */
  @Test
  void firstRecords_areSent_howeverLittleIsLeftOfTheLease() {
    List<Received<Delivery>> batch = claimed(message("m0"), message("m1"));
    clock.advance(Duration.ofSeconds(20));
    try (KafkaPublisher publisher = publisher(Script.ACKNOWLEDGING).open()) {
      assertThat(publisher.handle(batch)).hasOnlyElementsOfType(Delivered.class);
    }
  }

  @Test
  void record_whoseLeaseIsLost_isNotSent() {
    List<Received<Delivery>> batch = claimed(message("m0"));
    clock.advance(LEASE);
    try (KafkaPublisher publisher = publisher(Script.ACKNOWLEDGING).open()) {
      assertThat(publisher.handle(batch))
          .containsExactly(DeliveryOutcome.release("Not sent: its lease is lost."));
      assertThat(sent()).isEmpty();
    }
  }

  @Test
  void interrupt_endsTheWaitAtOnce_andKeepsWhatWasAcknowledged()
      throws ExecutionException, InterruptedException, java.util.concurrent.TimeoutException {
    List<Received<Delivery>> batch =
        claimed(
            message("a0").orderingKey("a"),
            message("b0").orderingKey("b"),
            message("b1").orderingKey("b"));
    try (KafkaPublisher publisher =
        publisher(
                (producer, record) -> {
                  if (ScriptedProducer.eventId(record).equals("a0")) {
                    producer.answer(record, null);
                  }
                })
            .open()) {
      List<Boolean> interrupted = new ArrayList<>();
      FutureTask<List<DeliveryOutcome>> call =
          new FutureTask<>(
              () -> {
                List<DeliveryOutcome> outcomes = publisher.handle(batch);
                interrupted.add(Thread.currentThread().isInterrupted());
                return outcomes;
              });
      Thread worker = new Thread(call, "a relay's worker");
      worker.start();
      await().until(() -> sent().size() == 2);
      worker.interrupt();

      List<DeliveryOutcome> outcomes = call.get(5, TimeUnit.SECONDS);
      assertThat(outcomes.get(0)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(outcomes.get(1)).isInstanceOf(Retry.class);
      assertThat(reason(outcomes.get(1))).contains("it may arrive");
      assertThat(outcomes.get(2))
          .isEqualTo(DeliveryOutcome.release("Not sent: the publisher was interrupted."));
      assertThat(interrupted).containsExactly(true);
    }
  }

  @Test
  void destination_thatThrows_isAFailedAttemptOfThatRecordOnly() {
    List<Received<Delivery>> batch = claimed(message("m0"), message("m1"));
    try (KafkaPublisher publisher =
        publisher(Script.ACKNOWLEDGING)
            .destination(
                delivery -> {
                  if (delivery.eventId().equals("m0")) {
                    throw new IllegalStateException("no such tenant");
                  }
                  return "topic";
                })
            .open()) {
      assertThat(publisher.handle(batch))
          .containsExactly(
              new Retry(Optional.empty(), "java.lang.IllegalStateException: no such tenant"),
              DeliveryOutcome.delivered());
    }
  }

  @Test
  void handle_afterClose_saysInWhichOrderToClose() {
    List<Received<Delivery>> batch = claimed(message("m0"));
    KafkaPublisher publisher = publisher(Script.ACKNOWLEDGING).open();
    publisher.close();
    publisher.close();
    assertThat(producers.get(0).closed()).isTrue();
    assertThatThrownBy(() -> publisher.handle(batch))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The Kafka publisher is closed. Nothing was sent. Close the relay before it.");
  }
}

package dev.fencedoutbox.it.micrometer;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.micrometer.HandlingMetrics;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.SteppedRelay;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandlingMetricsTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private RelayBuilder relay() {
    return Relay.from(DB.pool()).channel("billing").intercept(HandlingMetrics.in(registry));
  }

  private static void enqueued(String... eventIds) {
    for (String eventId : eventIds) {
      enqueue(DB.dsl(), message(eventId).channel("billing"));
    }
  }

  private Map<String, Timer> handling() {
    Map<String, Timer> timers = new TreeMap<>();
    for (Timer timer : registry.get("outbox.delivery.handling").timers()) {
      timers.put(String.valueOf(timer.getId().getTag("outcome")), timer);
    }
    return timers;
  }

  @Test
  void handling_isTimedByTopicAndOutcome() {
    enqueued("delivered", "retry", "release", "bury", "settled", "failed");
    try (SteppedRelay relay =
        relay()
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  clock.add(Duration.ofSeconds(attempt.eventId().length()));
                  return answer(attempt.eventId());
                })
            .stepByStep()) {
      relay.claim();
      relay.deliver();
    }

    assertThat(handling())
        .containsOnlyKeys("delivered", "retry", "release", "bury", "settled", "failed")
        .allSatisfy(
            (outcome, timer) -> {
              assertThat(timer.count()).isEqualTo(1);
              assertThat(timer.totalTime(SECONDS)).isEqualTo(outcome.length());
              assertThat(timer.getId().getTag("topic")).isEqualTo("plain");
              assertThat(timer.getId().getTag("channel")).isEqualTo("billing");
              assertThat(timer.getId().getTags()).hasSize(3);
            });
  }

  private static DeliveryOutcome answer(String eventId) {
    return switch (eventId) {
      case "delivered" -> DeliveryOutcome.delivered();
      case "retry" -> DeliveryOutcome.retry("not now");
      case "release" -> DeliveryOutcome.release("not here");
      case "bury" -> DeliveryOutcome.bury("no such customer");
      case "settled" -> DeliveryOutcome.settled();
      default -> throw new IllegalStateException("out of order");
    };
  }

  @Test
  void handling_ofABatch_countsEachDeliveryWithTheWholeCall() {
    enqueued("one", "two", "three");
    try (SteppedRelay relay =
        relay()
            .onBatch(
                PLAIN,
                10,
                batch -> {
                  clock.add(Duration.ofSeconds(4));
                  return batch.stream()
                      .map(
                          one ->
                              one.attempt().eventId().equals("two")
                                  ? DeliveryOutcome.retry("not now")
                                  : DeliveryOutcome.delivered())
                      .toList();
                })
            .stepByStep()) {
      relay.claim();
      relay.deliver();
    }

    assertThat(handling()).containsOnlyKeys("delivered", "retry");
    assertThat(handling())
        .hasEntrySatisfying(
            "delivered",
            timer -> {
              assertThat(timer.count()).isEqualTo(2);
              assertThat(timer.totalTime(SECONDS)).isEqualTo(8);
            })
        .hasEntrySatisfying("retry", timer -> assertThat(timer.totalTime(SECONDS)).isEqualTo(4));
  }

  @Test
  void handling_thatOutlastsItsLease_isLost() {
    AtomicLong nanos = new AtomicLong();
    enqueued("slow");
    try (SteppedRelay relay =
        relay()
            .nanoClock(nanos::get)
            .on(PLAIN, (payload, attempt) -> nanos.addAndGet(SECONDS.toNanos(30)))
            .stepByStep()) {
      relay.claim();
      relay.deliver();
    }

    assertThat(handling()).containsOnlyKeys("lost");
  }

  /** Due 100 s ago by the database's clock, and 20 s in hand by the relay's. */
  @Test
  void age_isFromTheDueTimeToTheHandler() {
    AtomicLong nanos = new AtomicLong();
    enqueued("old");
    DB.dsl()
        .update(DELIVERY)
        .set(
            DELIVERY.NEXT_ATTEMPT_AT,
            DSL.field(
                "clock_timestamp() - interval '100 seconds'", SQLDataType.TIMESTAMPWITHTIMEZONE))
        .execute();
    try (SteppedRelay relay =
        relay().nanoClock(nanos::get).on(PLAIN, (payload, attempt) -> {}).stepByStep()) {
      relay.claim();
      nanos.addAndGet(SECONDS.toNanos(20));
      relay.deliver();
    }

    Timer age = registry.get("outbox.delivery.age").tags("channel", "billing").timer();
    assertThat(age.getId().getTag("topic")).isEqualTo("plain");
    assertThat(age.count()).isEqualTo(1);
    assertThat(age.totalTime(SECONDS)).isBetween(120.0, 150.0);
  }
}

package dev.fencedoutbox.it.micrometer;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.micrometer.RelayMetrics;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayCounters;
import dev.fencedoutbox.relay.SteppedRelay;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayMetricsTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private void bind(Supplier<RelayCounters> counters) {
    metrics(counters).bindTo(registry);
  }

  private static RelayMetrics metrics(Supplier<RelayCounters> counters) {
    return RelayMetrics.of(counters, Channel.of("billing"), "relay-1");
  }

  private static RelayCounters claimed(long claimed) {
    return new RelayCounters(claimed, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** The value of each meter that there is. */
  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      values.put(meter.getId().getName(), meter.measure().iterator().next().getValue());
    }
    return values;
  }

  @Test
  void meters_areTheCountsByTheirNames() {
    bind(() -> new RelayCounters(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));

    assertThat(values())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("outbox.delivery.claimed", 1.0),
                Map.entry("outbox.delivery.reclaimed", 2.0),
                Map.entry("outbox.delivery.delivered", 3.0),
                Map.entry("outbox.delivery.retried", 4.0),
                Map.entry("outbox.delivery.released", 5.0),
                Map.entry("outbox.delivery.buried", 6.0),
                Map.entry("outbox.write.refused", 7.0),
                Map.entry("outbox.lease.lost", 8.0),
                Map.entry("outbox.delivery.abandoned", 9.0),
                Map.entry("outbox.transaction.failed", 10.0),
                Map.entry("outbox.delivery.waiting", 11.0),
                Map.entry("outbox.delivery.running", 12.0),
                Map.entry("outbox.delivery.recording", 13.0)));
  }

  @Test
  void meters_haveTheTagsChannelAndRelay() {
    bind(() -> claimed(1));

    assertThat(registry.getMeters())
        .isNotEmpty()
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getTags()).hasSize(2);
              assertThat(meter.getId().getTag("channel")).isEqualTo("billing");
              assertThat(meter.getId().getTag("relay")).isEqualTo("relay-1");
              assertThat(meter.getId().getDescription()).isNotBlank();
            });
  }

  @Test
  void relay_takenStepByStep_showsEachStep() {
    enqueue(DB.dsl(), message("ok"), message("later"), message("never"), message("late"));
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .onDeciding(PLAIN, (payload, attempt) -> answer(attempt.eventId()))
            .stepByStep()) {
      bind(relay::counters);

      relay.claim();
      assertThat(values())
          .containsEntry("outbox.delivery.claimed", 4.0)
          .containsEntry("outbox.delivery.waiting", 4.0);

      relay.waiting().stream()
          .filter(attempt -> attempt.eventId().equals("late"))
          .forEach(attempt -> Fixtures.expireDelivery(DB.dsl(), attempt.delivery().id()));
      relay.deliver();
      assertThat(values())
          .containsEntry("outbox.delivery.waiting", 0.0)
          .containsEntry("outbox.delivery.recording", 4.0);

      relay.record();
      assertThat(values())
          .containsEntry("outbox.delivery.delivered", 1.0)
          .containsEntry("outbox.delivery.retried", 1.0)
          .containsEntry("outbox.delivery.buried", 1.0)
          .containsEntry("outbox.write.refused", 1.0)
          .containsEntry("outbox.delivery.recording", 0.0);

      relay.claim();
      assertThat(values())
          .containsEntry("outbox.delivery.claimed", 5.0)
          .containsEntry("outbox.delivery.reclaimed", 1.0);
    }
    assertThat(values()).containsEntry("outbox.delivery.released", 1.0);
  }

  private static DeliveryOutcome answer(String eventId) {
    return switch (eventId) {
      case "later" -> DeliveryOutcome.retryAfter(java.time.Duration.ofHours(1), "not now");
      case "never" -> DeliveryOutcome.bury("no such customer");
      default -> DeliveryOutcome.delivered();
    };
  }

  /** Micrometer holds what it measures weakly, and a relay goes on without its binder. */
  @Test
  void meters_whoseBinderNobodyKeeps_goOnCounting() {
    AtomicLong claims = new AtomicLong(1);
    bind(() -> claimed(claims.get()));
    WeakReference<Object> probe = new WeakReference<>(new Object());
    await()
        .until(
            () -> {
              System.gc();
              return probe.get() == null;
            });
    claims.set(2);

    assertThat(values())
        .containsEntry("outbox.delivery.claimed", 2.0)
        .containsEntry("outbox.delivery.waiting", 0.0);
  }

  @Test
  void bindTo_whereTheMetersAreAlready_isRefused() {
    bind(() -> claimed(1));

    assertThatThrownBy(() -> bind(() -> claimed(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outbox.delivery.claimed")
        .hasMessageContaining("relay-1")
        .hasMessageContaining("nothing was bound");
    assertThat(values()).containsEntry("outbox.delivery.claimed", 1.0);
  }

  @Test
  void close_removesTheMeters_soThatTheNextRelayIsSeen() {
    RelayMetrics first = metrics(() -> claimed(1));
    first.bindTo(registry);

    first.close();

    assertThat(registry.getMeters()).isEmpty();
    bind(() -> claimed(2));
    assertThat(values()).containsEntry("outbox.delivery.claimed", 2.0);
  }
}

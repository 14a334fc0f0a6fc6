package dev.fencedoutbox.it.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.micrometer.ChannelMetrics;
import dev.fencedoutbox.operate.Snapshot;
import dev.fencedoutbox.outbox.Channel;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChannelMetricsTest {

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private @Nullable Snapshot now = snapshot(Duration.ofMillis(1500), 2, 3, 4, 5, 6);
  private int questions;

  private static Snapshot snapshot(
      @Nullable Duration oldest,
      long eligible,
      long waiting,
      long inFlight,
      long expired,
      long dead) {
    return new Snapshot(
        OffsetDateTime.MIN, oldest, eligible, waiting, inFlight, expired, dead, null, false);
  }

  private Snapshot ask() {
    questions++;
    if (now == null) {
      throw new IllegalStateException("the database cannot be reached");
    }
    return now;
  }

  private ChannelMetrics metrics() {
    return ChannelMetrics.of(Channel.of("billing"), this::ask)
        .askingAtMostEvery(Duration.ofSeconds(10));
  }

  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      values.put(meter.getId().getName(), ((Gauge) meter).value());
    }
    return values;
  }

  @Test
  void gauges_areTheSignalsByTheirNames() {
    metrics().bindTo(registry);

    assertThat(values())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "outbox.channel.oldest.age", 1.5,
                "outbox.channel.eligible", 2.0,
                "outbox.channel.waiting", 3.0,
                "outbox.channel.inflight", 4.0,
                "outbox.channel.expired", 5.0,
                "outbox.channel.dead", 6.0));
    assertThat(registry.getMeters())
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getTags()).hasSize(1);
              assertThat(meter.getId().getTag("channel")).isEqualTo("billing");
            });
  }

  @Test
  void age_withNothingEligible_isZero() {
    now = snapshot(null, 0, 0, 0, 0, 0);
    metrics().bindTo(registry);

    assertThat(values()).containsEntry("outbox.channel.oldest.age", 0.0);
  }

  @Test
  void gauges_showOneAnswer_untilItIsTooOld() {
    metrics().bindTo(registry);
    values();
    now = snapshot(null, 20, 0, 0, 0, 0);
    clock.add(Duration.ofSeconds(9));
    assertThat(values()).containsEntry("outbox.channel.eligible", 2.0);
    assertThat(questions).isEqualTo(1);

    clock.add(Duration.ofSeconds(1));

    assertThat(values()).containsEntry("outbox.channel.eligible", 20.0);
    assertThat(questions).isEqualTo(2);
  }

  @Test
  void gauges_whileTheDatabaseCannotBeAsked_areNaN_andItIsAskedOnce() {
    metrics().bindTo(registry);
    values();
    now = null;
    clock.add(Duration.ofSeconds(10));

    assertThat(values().values()).hasSize(6).allMatch(value -> value.isNaN());
    assertThat(questions).isEqualTo(2);

    now = snapshot(null, 1, 0, 0, 0, 0);
    clock.add(Duration.ofSeconds(10));
    assertThat(values()).containsEntry("outbox.channel.eligible", 1.0);
  }

  @Test
  void close_removesTheGauges_andTwoOfAChannelAreRefused() {
    ChannelMetrics first = metrics();
    first.bindTo(registry);
    assertThatThrownBy(() -> metrics().bindTo(registry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("billing");

    first.close();

    assertThat(registry.getMeters()).isEmpty();
  }
}

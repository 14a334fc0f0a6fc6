package dev.fencedoutbox.micrometer;

import dev.fencedoutbox.operate.Snapshot;
import dev.fencedoutbox.outbox.Channel;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where a channel stands in the database, as gauges with the tag {@code channel}. One process needs
 * to show it, not each relay.
 *
 * <p>The database is asked when a gauge is read, in the reader's thread, and all gauges show one
 * answer until it is too old. While it cannot be asked they show NaN, and it is asked no more often
 * than otherwise.
 *
 * <p>Thread-safe.
 */
public final class ChannelMetrics implements MeterBinder, AutoCloseable {

  private final Supplier<Snapshot> signals;
  private final Tags tags;
  private final Duration atMostEvery;
  private final BoundMeters bound = new BoundMeters();
  private @Nullable Snapshot last;
  private @Nullable Long lastNanos;

  private ChannelMetrics(Supplier<Snapshot> signals, Tags tags, Duration atMostEvery) {
    this.signals = signals;
    this.tags = tags;
    this.atMostEvery = atMostEvery;
  }

  /**
   * Gauges over what {@code signals} reads from the database, every 10 s at the most.
   *
   * @param signals asks the database, such as {@code () -> Signals.of(channel).read(dsl)}
   */
  public static ChannelMetrics of(Channel channel, Supplier<Snapshot> signals) {
    return new ChannelMetrics(signals, Tags.of("channel", channel.name()), Duration.ofSeconds(10));
  }

  /** The same, asking this often at the most. */
  public ChannelMetrics askingAtMostEvery(Duration pause) {
    return new ChannelMetrics(signals, tags, pause);
  }

  /**
   * Adds the gauges to a registry.
   *
   * @throws IllegalStateException if they are there already
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    bound.requireNew(registry, "outbox.channel.eligible", tags);
    bound.add(
        registry,
        TimeGauge.builder(
                "outbox.channel.oldest.age",
                () -> read(registry, ChannelMetrics::oldestSeconds),
                TimeUnit.SECONDS)
            .description("How long the longest claimable delivery has been claimable")
            .tags(tags)
            .register(registry));
    gauge(registry, "eligible", "Deliveries that a claim could take", Snapshot::eligible);
    gauge(registry, "waiting", "Deliveries that are not due yet", Snapshot::waiting);
    gauge(registry, "inflight", "Deliveries under a lease that holds", Snapshot::inFlight);
    gauge(registry, "expired", "Deliveries whose lease has run out", Snapshot::expiredLeases);
    gauge(registry, "dead", "DEAD deliveries", Snapshot::dead);
  }

  private void gauge(
      MeterRegistry registry, String name, String says, ToDoubleFunction<Snapshot> which) {
    bound.add(
        registry,
        Gauge.builder("outbox.channel." + name, () -> read(registry, which))
            .description(says)
            .tags(tags)
            .register(registry));
  }

  private static double oldestSeconds(Snapshot signals) {
    Duration oldest = signals.oldestEligibleAge();
    return oldest == null ? 0 : oldest.toNanos() / 1e9;
  }

  private double read(MeterRegistry registry, ToDoubleFunction<Snapshot> which) {
    Snapshot current = current(registry.config().clock().monotonicTime());
    return current == null ? Double.NaN : which.applyAsDouble(current);
  }

  private synchronized @Nullable Snapshot current(long nowNanos) {
    if (lastNanos == null || nowNanos - lastNanos >= atMostEvery.toNanos()) {
      last = null; // what stays if the question fails
      lastNanos = nowNanos;
      last = signals.get();
    }
    return last;
  }

  /** Removes the gauges from each registry that they were bound to. */
  @Override
  public void close() {
    bound.removeAll();
  }
}

package dev.fencedoutbox.micrometer;

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

  private final Supplier<ChannelSignals> signals;
  private final Tags tags;
  private final Duration atMostEvery;
  private final BoundMeters bound = new BoundMeters();
  private @Nullable ChannelSignals last;
  private @Nullable Long lastNanos;

  private ChannelMetrics(Supplier<ChannelSignals> signals, Tags tags, Duration atMostEvery) {
    this.signals = signals;
    this.tags = tags;
    this.atMostEvery = atMostEvery;
  }

  /**
   * Gauges over what {@code signals} reads from the database, every 10 s at the most.
   *
   * @param signals asks the database, by one query of bounded cost
   */
  public static ChannelMetrics of(Channel channel, Supplier<ChannelSignals> signals) {
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
    gauge(registry, "eligible", "Deliveries that a claim could take", ChannelSignals::eligible);
    gauge(registry, "waiting", "Deliveries that are not due yet", ChannelSignals::waiting);
    gauge(registry, "inflight", "Deliveries under a lease that holds", ChannelSignals::inFlight);
    gauge(registry, "expired", "Deliveries whose lease has run out", ChannelSignals::expired);
    gauge(registry, "dead", "DEAD deliveries", ChannelSignals::dead);
  }

  private void gauge(
      MeterRegistry registry, String name, String says, ToDoubleFunction<ChannelSignals> which) {
    bound.add(
        registry,
        Gauge.builder("outbox.channel." + name, () -> read(registry, which))
            .description(says)
            .tags(tags)
            .register(registry));
  }

  private static double oldestSeconds(ChannelSignals signals) {
    Duration oldest = signals.oldestEligible();
    return oldest == null ? 0 : oldest.toNanos() / 1e9;
  }

  private double read(MeterRegistry registry, ToDoubleFunction<ChannelSignals> which) {
    ChannelSignals current = current(registry.config().clock().monotonicTime());
    return current == null ? Double.NaN : which.applyAsDouble(current);
  }

  private synchronized @Nullable ChannelSignals current(long nowNanos) {
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

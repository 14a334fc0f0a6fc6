package dev.fencedoutbox.micrometer;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * What one relay has done and what it holds, as meters with the tags {@code channel} and {@code
 * relay}.
 *
 * <pre>{@code
 * RelayMetrics metrics = RelayMetrics.of(relay); // of RelayBuilder.name("relay-1")
 * metrics.bindTo(registry);
 * ...
 * relay.close();
 * metrics.close();
 * }</pre>
 *
 * <p>Thread-safe. The meters keep the relay's counts alive until this is closed.
 */
public final class RelayMetrics implements MeterBinder, AutoCloseable {

  private final Supplier<RelayCounters> counters;
  private final Tags tags;
  private final BoundMeters bound = new BoundMeters();

  private RelayMetrics(Supplier<RelayCounters> counters, Tags tags) {
    this.counters = counters;
    this.tags = tags;
  }

  /**
   * Meters over {@code relay::counters}.
   *
   * @param relay a name that stays the same when the process is started again, since each new one
   *     is a new time series
   */
  public static RelayMetrics of(Supplier<RelayCounters> counters, Channel channel, String relay) {
    return new RelayMetrics(counters, Tags.of("channel", channel.name(), "relay", relay));
  }

  /** Meters over a relay's counts, by its own channel and name. */
  public static RelayMetrics of(Relay relay) {
    return of(relay::counters, relay.channel(), relay.name());
  }

  /**
   * Adds the meters to a registry.
   *
   * @throws IllegalStateException if they are there already: two relays would share them, and one
   *     of them would not be seen
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    bound.requireNew(registry, "outbox.delivery.claimed", tags);
    claims(registry);
    records(registry);
    troubles(registry);
    inHand(registry);
  }

  private void claims(MeterRegistry registry) {
    count(
        registry,
        "outbox.delivery.claimed",
        "Deliveries handed out by claims, those claimed again included",
        RelayCounters::claimed);
    count(
        registry,
        "outbox.delivery.reclaimed",
        "Of those, the ones whose former lease had run out",
        RelayCounters::reclaimed);
  }

  private void records(MeterRegistry registry) {
    count(
        registry,
        "outbox.delivery.delivered",
        "Deliveries recorded as delivered",
        RelayCounters::delivered);
    count(
        registry,
        "outbox.delivery.retried",
        "Deliveries recorded for a later attempt",
        RelayCounters::retried);
    count(
        registry,
        "outbox.delivery.released",
        "Deliveries handed back unharmed",
        RelayCounters::released);
    count(
        registry,
        "outbox.delivery.buried",
        "Deliveries recorded as DEAD, by claims and by handlers",
        RelayCounters::buried);
  }

  private void troubles(MeterRegistry registry) {
    count(
        registry,
        "outbox.delivery.abandoned",
        "Deliveries whose answer could not be written and that were left to their leases",
        RelayCounters::abandoned);
    count(
        registry,
        "outbox.write.refused",
        "Writes that came too late and changed nothing",
        RelayCounters::refused);
    count(
        registry,
        "outbox.lease.lost",
        "Leases that ran out or were superseded while their delivery was in hand",
        RelayCounters::lost);
    count(
        registry,
        "outbox.transaction.failed",
        "Transactions of the relay's own that failed and were repeated or given up",
        RelayCounters::failedTransactions);
  }

  private void inHand(MeterRegistry registry) {
    gauge(
        registry,
        "outbox.delivery.waiting",
        "Deliveries in hand whose handler was not called yet",
        RelayCounters::waiting);
    gauge(registry, "outbox.delivery.running", "Handlers at work", RelayCounters::running);
    gauge(
        registry, "outbox.delivery.recording", "Answers not yet written", RelayCounters::recording);
  }

  private void count(
      MeterRegistry registry, String name, String says, ToLongFunction<RelayCounters> which) {
    // Micrometer holds the object weakly and the function strongly; this function holds the object.
    bound.add(
        registry,
        FunctionCounter.builder(name, this, self -> which.applyAsLong(counters.get()))
            .description(says)
            .tags(tags)
            .register(registry));
  }

  private void gauge(
      MeterRegistry registry, String name, String says, ToIntFunction<RelayCounters> which) {
    bound.add(
        registry,
        Gauge.builder(name, () -> which.applyAsInt(counters.get()))
            .description(says)
            .tags(tags)
            .register(registry));
  }

  /** Removes the meters from each registry that they were bound to. Does not close the relay. */
  @Override
  public void close() {
    bound.removeAll();
  }
}

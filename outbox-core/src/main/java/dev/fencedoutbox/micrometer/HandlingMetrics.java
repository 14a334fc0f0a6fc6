package dev.fencedoutbox.micrometer;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryInterceptor;
import dev.fencedoutbox.relay.DeliveryOutcome;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures each delivery at its handler: how long it was due before its handler was called ({@code
 * outbox.delivery.age}), and how long that took and what it answered ({@code
 * outbox.delivery.handling}).
 *
 * <pre>{@code
 * Relay.from(dataSource).on(...).intercept(HandlingMetrics.in(registry)).start();
 * }</pre>
 *
 * <p>Each delivery of a batch counts with the time of the whole call. There is one time series for
 * each channel, topic and outcome that occurs.
 *
 * <p>Thread-safe; one may serve many relays.
 */
public final class HandlingMetrics implements DeliveryInterceptor {

  private final Clock clock;
  private final MeterProvider<Timer> age;
  private final MeterProvider<Timer> handling;

  private HandlingMetrics(MeterRegistry registry) {
    this.clock = registry.config().clock();
    this.age =
        Timer.builder("outbox.delivery.age")
            .description("How long a delivery was due when its handler was called")
            .withRegistry(registry);
    this.handling =
        Timer.builder("outbox.delivery.handling")
            .description("How long the handler took for a delivery, and what it answered")
            .withRegistry(registry);
  }

  /** Measures into that registry. */
  public static HandlingMetrics in(MeterRegistry registry) {
    return new HandlingMetrics(registry);
  }

  @Override
  public List<DeliveryOutcome> around(List<Attempt> attempts, Handling next) throws Exception {
    attempts.forEach(this::recordAge);
    long begunNanos = clock.monotonicTime();
    @Nullable List<DeliveryOutcome> outcomes = null;
    try {
      outcomes = next.proceed();
      return outcomes;
    } finally {
      recordHandling(attempts, outcomes, Duration.ofNanos(clock.monotonicTime() - begunNanos));
    }
  }

  private void recordAge(Attempt attempt) {
    Duration due = age(attempt);
    age.withTags(tags(attempt.delivery())).record(due.isNegative() ? Duration.ZERO : due);
  }

  /**
   * By the database's clock alone, without asking it: at the lease's deadline less what is left of
   * the lease, it is now. Too long by what the claim took to arrive there, at the most.
   */
  private static Duration age(Attempt attempt) {
    Lease<Long> lease;
    Duration left;
    do { // both of the same lease, though it may be renewed meanwhile
      lease = attempt.lease();
      left = attempt.trustLeft();
    } while (lease.leaseUntil().isBefore(attempt.lease().leaseUntil()));
    return Duration.between(attempt.delivery().dueAt(), lease.leaseUntil().minus(left));
  }

  private void recordHandling(
      List<Attempt> attempts, @Nullable List<DeliveryOutcome> outcomes, Duration took) {
    boolean answered = outcomes != null && outcomes.size() == attempts.size();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      String outcome = name(attempt, answered && outcomes != null ? outcomes.get(i) : null);
      handling.withTags(tags(attempt.delivery()).and("outcome", outcome)).record(took);
    }
  }

  private static Tags tags(Delivery delivery) {
    return Tags.of("channel", delivery.channel().name(), "topic", delivery.topic());
  }

  private static String name(Attempt attempt, @Nullable DeliveryOutcome outcome) {
    if (!attempt.isHeld()) {
      return "lost"; // whatever was answered, it is dropped
    } else if (outcome instanceof DeliveryOutcome.Delivered) {
      return "delivered";
    } else if (outcome instanceof DeliveryOutcome.Settled) {
      return "settled";
    } else if (outcome instanceof DeliveryOutcome.Retry) {
      return "retry";
    } else if (outcome instanceof DeliveryOutcome.Release) {
      return "release";
    } else if (outcome instanceof DeliveryOutcome.Bury) {
      return "bury";
    }
    return "failed";
  }
}

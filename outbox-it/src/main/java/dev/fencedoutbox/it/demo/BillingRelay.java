package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** A relay that posts orders to billing. */
final class BillingRelay {

  /** Short, so that one need not wait long for a lease to run out; in production take more. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** The most that it holds at once: small, so that there is something for the others. */
  static final int CAPACITY = 10;

  static final Duration RETRY_AFTER = Duration.ofMillis(500);

  private static final int HANDLERS = 4;

  private BillingRelay() {}

  /** To be started; {@code dataSource} should give three connections at a time. */
  static RelayBuilder of(DataSource dataSource, String name, URI endpoint) {
    BillingClient billing = new BillingClient(endpoint, name);
    return Relay.from(dataSource)
        .name(name)
        .channel(OrderDesk.BILLING)
        .options(options())
        .onDeciding(OrderPlaced.TOPIC, (order, attempt) -> post(billing, attempt));
  }

  private static RelayOptions options() {
    return RelayOptions.defaults()
        .withLeaseFor(LEASE)
        .withConcurrency(HANDLERS)
        .withPrefetch(CAPACITY - HANDLERS)
        .withClaimBatch(CAPACITY)
        .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(500)));
  }

  private static DeliveryOutcome post(BillingClient billing, Attempt attempt)
      throws InterruptedException {
    Optional<String> problem = billing.post(attempt.delivery());
    return problem.isEmpty()
        ? DeliveryOutcome.delivered()
        : DeliveryOutcome.retryAfter(RETRY_AFTER, problem.get());
  }
}

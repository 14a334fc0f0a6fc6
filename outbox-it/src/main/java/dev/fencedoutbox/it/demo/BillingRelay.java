package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import javax.sql.DataSource;

/** A relay that delivers orders to billing. */
final class BillingRelay {

  /** Short, so that one need not wait long for a lease to run out; in production take more. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** The most that it holds at once: small, so that there is something for the others. */
  static final int CAPACITY = 10;

  static final Duration RETRY_AFTER = Duration.ofMillis(500);

  /** Timeouts are short as well, and on a busy machine they may pass more than once. */
  private static final int ATTEMPTS = 100;

  private static final int HANDLERS = 4;

  private BillingRelay() {}

  /** To be started; {@code dataSource} should give four connections at a time. */
  static RelayBuilder of(DataSource dataSource, String name, Sender sender) {
    return sender.deliver(
        Relay.from(dataSource).name(name).channel(OrderDesk.BILLING).options(options()));
  }

  private static RelayOptions options() {
    return RelayOptions.defaults()
        .withLeaseFor(LEASE)
        .withAttemptBudget(ATTEMPTS)
        .withConcurrency(HANDLERS)
        .withPrefetch(CAPACITY - HANDLERS)
        .withClaimBatch(CAPACITY)
        .withBackoff(Backoff.fixed(RETRY_AFTER))
        .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(500)));
  }
}

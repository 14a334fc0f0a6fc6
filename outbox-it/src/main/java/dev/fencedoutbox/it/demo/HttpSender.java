package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.relay.RelayBuilder;
import java.net.URI;
import java.time.Duration;

/** Posts events to billing. */
final class HttpSender implements Sender {

  /** Shorter than {@link BillingRelay#LEASE}. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final HttpPublisher publisher;

  HttpSender(URI endpoint) {
    publisher = HttpPublisher.to(endpoint).timeout(TIMEOUT).build();
  }

  @Override
  public RelayBuilder deliver(RelayBuilder relay) {
    return relay.onDeciding(OrderPlaced.TOPIC, publisher.typed());
  }

  @Override
  public void close() {
    // nothing is held
  }
}

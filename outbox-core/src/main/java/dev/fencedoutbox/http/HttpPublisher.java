package dev.fencedoutbox.http;

import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DecidingHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.TimeBound;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Delivers by an HTTP POST.
 *
 * <pre>{@code
 * HttpPublisher publisher =
 *     HttpPublisher.to(URI.create("https://billing.example/events"))
 *         .header("Authorization", "Bearer " + token)
 *         .signedWith(secret)
 *         .timeout(Duration.ofSeconds(10))
 *         .build();
 * Relay relay = Relay.from(dataSource).channel("billing").onAnyTopic(publisher).start();
 * }</pre>
 *
 * <p><b>Request.</b> The payload as it is stored, JSON in UTF-8, under these headers. Event id,
 * topic and ordering key are percent-encoded (UTF-8) where they hold anything but visible ASCII, or
 * a percent sign.
 *
 * <table>
 *   <caption>Headers</caption>
 *   <tr><td>{@code Content-Type}</td><td>the message's</td></tr>
 *   <tr><td>{@code Idempotency-Key}</td><td>the event id, the same on every attempt</td></tr>
 *   <tr><td>{@code Outbox-Topic}</td><td>the topic</td></tr>
 *   <tr><td>{@code Outbox-Ordering-Key}</td><td>the ordering key, if there is one</td></tr>
 *   <tr><td>{@code Outbox-Delivery-Id}</td><td>the delivery; replayed, a message has another</td></tr>
 *   <tr><td>{@code Outbox-Epoch}</td><td>of two requests of one delivery, the one with the lower
 *       epoch is the late one</td></tr>
 *   <tr><td>{@code Outbox-Attempt}</td><td>1 for the first</td></tr>
 *   <tr><td>{@code traceparent}, {@code tracestate}</td><td>the message's, if it has them</td></tr>
 *   <tr><td>{@code webhook-id}, {@code -timestamp}, {@code -signature}</td><td>if it is signed</td></tr>
 * </table>
 *
 * <p><b>Outcomes.</b> 2xx: delivered. 408, 425, 429 and 5xx: retried, after {@code Retry-After} (0
 * to 365 days) if the answer has one that asks for any, else as the relay's backoff says. 3xx and
 * other 4xx: buried with the status and the body's beginning. No answer, or one that does not come
 * to its end: retried. A function of the host's that throws, or gives an address that cannot be
 * used: retried, as whatever a handler throws.
 *
 * <p><b>Time.</b> {@link #longest} bounds the whole exchange, the answer's body included; a relay
 * refuses to start unless that is shorter than its leases. An interrupt ends the exchange at once,
 * is kept, and is a retry.
 *
 * <p>Immutable and thread-safe; one may serve many relays. Source: articles 000 and 001.
 */
public final class HttpPublisher implements DecidingHandler<Delivery>, TimeBound {

  private final HttpClient client;
  private final Requests requests;
  private final Duration timeout;
  private final Executor senders = Senders.daemons();

  HttpPublisher(HttpClient client, Requests requests, Duration timeout) {
    this.client = client;
    this.requests = requests;
    this.timeout = timeout;
  }

  /**
   * The beginning of a publisher to one address.
   *
   * @param address http or https, without user and password
   * @throws IllegalArgumentException if it cannot be used
   */
  public static HttpPublisherBuilder to(URI address) {
    return new HttpPublisherBuilder(Addresses.fixed(address));
  }

  /**
   * The beginning of a publisher whose address depends on the delivery.
   *
   * @param address http or https, without user and password; thread-safe. One that cannot be used
   *     is a failed attempt
   */
  public static HttpPublisherBuilder to(Function<Delivery, URI> address) {
    return new HttpPublisherBuilder(Addresses.byDelivery(address));
  }

  /** Sends {@code delivery} and waits for the answer. */
  @Override
  public DeliveryOutcome handle(Delivery delivery, Attempt attempt) throws Exception {
    return new Exchange(requests.of(delivery, attempt), attempt).send(client, senders, timeout);
  }

  /**
   * The same for one topic: {@code onDeciding(ORDER_PLACED, publisher.typed())}. The payload must
   * be readable as the topic's, and is sent as it is stored.
   */
  public <T> DecidingHandler<T> typed() {
    return new Typed<>(this);
  }

  private record Typed<T>(HttpPublisher publisher) implements DecidingHandler<T>, TimeBound {

    @Override
    public DeliveryOutcome handle(T payload, Attempt attempt) throws Exception {
      return publisher.handle(attempt.delivery(), attempt);
    }

    @Override
    public Duration longest() {
      return publisher.longest();
    }
  }

  /** The timeout of the whole exchange. */
  @Override
  public Duration longest() {
    return timeout;
  }

  /** Without secrets: no path, no header, no key. */
  @Override
  public String toString() {
    return "HTTP publisher to %s within %s".formatted(requests, timeout);
  }
}

package dev.fencedoutbox.http;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.outbox.Delivery;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts an {@link HttpPublisher} together. Bad values are refused with an {@link
 * IllegalArgumentException}, before anything is sent; no message of it holds a secret.
 *
 * <p>For one thread.
 */
@CheckReturnValue
public final class HttpPublisherBuilder {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration USUAL_CONNECT = Duration.ofSeconds(3);

  private final Addresses addresses;
  private OwnHeaders headers = OwnHeaders.NONE;
  private Content content = Content.AS_STORED;
  private Signer signer = Signer.NONE;
  private Duration timeout = Duration.ofSeconds(10);
  private @Nullable Duration connectTimeout;
  private @Nullable Version version;
  private @Nullable HttpClient client;

  HttpPublisherBuilder(Addresses addresses) {
    this.addresses = addresses;
  }

  /**
   * How long one exchange may take, from the resolution of the host's name to the end of the
   * answer's body; by default 10 s.
   *
   * @param whole 1 ms to 1 hour; the relay's leases must be longer
   */
  public HttpPublisherBuilder timeout(Duration whole) {
    timeout = Durations.requireBetween("The timeout", whole, SHORTEST, LONGEST);
    return this;
  }

  /**
   * How long it may take to reach the receiver, within the timeout; by default 3 s, or the timeout
   * if that is shorter.
   *
   * @param upToConnection 1 ms to the timeout
   */
  public HttpPublisherBuilder connectTimeout(Duration upToConnection) {
    connectTimeout =
        Durations.requireBetween("The connect timeout", upToConnection, SHORTEST, LONGEST);
    return this;
  }

  /**
   * The version to ask for. By default HTTP/2 over https, where the receiver speaks it, and
   * HTTP/1.1 over http, where many receivers stumble over the offer of an upgrade.
   */
  public HttpPublisherBuilder version(Version preferred) {
    version = preferred;
    return this;
  }

  /**
   * A client of the host's, such as one with a trust store, a client certificate or a proxy of its
   * own; it brings its own connect timeout, and follows redirects if it was built to; a delivery is
   * buried where that turned the POST into a GET. By default the publisher has one of its own,
   * which follows none.
   */
  public HttpPublisherBuilder client(HttpClient hosts) {
    client = hosts;
    return this;
  }

  /**
   * Sends a header with every request, such as {@code Authorization}.
   *
   * @param name none that the publisher or the client sets itself, and each once
   * @param value printable ASCII
   */
  public HttpPublisherBuilder header(String name, String value) {
    headers = headers.withFixed(name, value);
    return this;
  }

  /**
   * Sends on these headers of the message, if it has them, under the names that they have there;
   * what is not printable ASCII is percent-encoded (UTF-8). No others are sent on but {@code
   * traceparent} and {@code tracestate}, which always are.
   */
  public HttpPublisherBuilder forward(String... messageHeaders) {
    for (String name : messageHeaders) {
      headers = headers.withForwarded(name);
    }
    return this;
  }

  /**
   * Signs each request by HMAC-SHA256 as <a href="https://www.standardwebhooks.com">Standard
   * Webhooks</a> says, over {@code webhook-id.webhook-timestamp.body}. The id is the {@code
   * Idempotency-Key} with {@code %2E} for each full stop; the timestamp is that of the attempt, in
   * Unix seconds by the database's clock. A receiver recomputes the signature, compares it in
   * constant time, refuses timestamps more than some minutes off, and deduplicates by the id: see
   * docs/http.md.
   *
   * <p>Given more than once, each request carries a signature for each, so that a secret can be
   * replaced without a gap.
   *
   * @param secret {@code whsec_} and 24 to 64 random bytes in Base64
   */
  public HttpPublisherBuilder signedWith(String secret) {
    signer = signer.with(secret);
    return this;
  }

  /**
   * Sends what a Slack incoming webhook takes, <code>{"text": ...}</code>, in place of the payload.
   * Slack's address is a secret: whoever has it can post.
   *
   * @param text what to post, in Slack's markup; thread-safe
   */
  public HttpPublisherBuilder slackText(Function<Delivery, String> text) {
    content = Content.slack(text);
    return this;
  }

  /**
   * The publisher.
   *
   * @throws IllegalArgumentException if what was given does not go together
   */
  public HttpPublisher build() {
    HttpClient hosts = client;
    if (hosts != null && connectTimeout != null) {
      throw new IllegalArgumentException(
          "A client of the host's was given and a connect timeout of %s, which is the client's own matter. Nothing was sent. Build the client with it, and give none here."
              .formatted(connectTimeout));
    }
    return new HttpPublisher(
        hosts == null ? ownClient() : hosts,
        new Requests(addresses, versions(), headers, content, signer),
        timeout);
  }

  private Function<URI, Optional<Version>> versions() {
    Version asked = version;
    if (asked != null || client != null) {
      return address -> Optional.ofNullable(asked);
    }
    return address ->
        Optional.of(
            address.getScheme().equalsIgnoreCase("https") ? Version.HTTP_2 : Version.HTTP_1_1);
  }

  private HttpClient ownClient() {
    Duration connect =
        connectTimeout == null ? Durations.atMost(USUAL_CONNECT, timeout) : connectTimeout;
    if (connect.compareTo(timeout) > 0) {
      throw new IllegalArgumentException(
          "The connect timeout of %s is longer than the timeout of %s, which stands over all. Nothing was sent. Make it shorter, or the timeout longer."
              .formatted(connect, timeout));
    }
    return HttpClient.newBuilder().connectTimeout(connect).followRedirects(Redirect.NEVER).build();
  }
}

package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.outbox.Delivery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Posts events to billing. */
final class BillingClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final URI endpoint;
  private final String sender;

  BillingClient(URI endpoint, String sender) {
    this.endpoint = endpoint;
    this.sender = sender;
  }

  /** Posts the event under its id, the same on every attempt; returns what went wrong. */
  Optional<String> post(Delivery delivery) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(endpoint)
            .timeout(TIMEOUT)
            .header("Idempotency-Key", delivery.eventId())
            .header("Content-Type", delivery.contentType())
            .header("User-Agent", sender)
            .POST(HttpRequest.BodyPublishers.ofString(delivery.json().data()))
            .build();
    try {
      int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return status / 100 == 2 ? Optional.empty() : Optional.of("HTTP status " + status);
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }
}

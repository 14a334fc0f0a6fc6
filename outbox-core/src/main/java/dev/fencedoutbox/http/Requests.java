package dev.fencedoutbox.http;

import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.relay.Attempt;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Optional;
import java.util.function.Function;

/** Makes the request of an attempt. Immutable. */
final class Requests {

  private final Addresses addresses;
  private final Function<URI, Optional<Version>> versions;
  private final OwnHeaders ownHeaders;
  private final Content content;
  private final Signer signer;

  Requests(
      Addresses addresses,
      Function<URI, Optional<Version>> versions,
      OwnHeaders ownHeaders,
      Content content,
      Signer signer) {
    this.addresses = addresses;
    this.versions = versions;
    this.ownHeaders = ownHeaders;
    this.content = content;
    this.signer = signer;
  }

  HttpRequest of(Delivery delivery, Attempt attempt) {
    URI address = addresses.of(delivery);
    byte[] body = content.body().apply(delivery);
    String key = HeaderText.identity(delivery.eventId());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).POST(BodyPublishers.ofByteArray(body));
    versions.apply(address).ifPresent(request::version);
    ownHeaders.addTo(request, delivery.headers());
    request
        .setHeader("Content-Type", HeaderText.printable(content.type().apply(delivery)))
        .setHeader("Idempotency-Key", key)
        .setHeader("Outbox-Topic", HeaderText.identity(delivery.topic()))
        .setHeader("Outbox-Delivery-Id", Long.toString(delivery.id()))
        .setHeader("Outbox-Epoch", attempt.lease().epoch().toString())
        .setHeader("Outbox-Attempt", Integer.toString(attempt.number()));
    String orderingKey = delivery.orderingKey();
    if (orderingKey != null) {
      request.setHeader("Outbox-Ordering-Key", HeaderText.identity(orderingKey));
    }
    if (signer.signs()) {
      signer.sign(request, key, LeaseTime.now(attempt), body);
    }
    return request.build();
  }

  @Override
  public String toString() {
    return addresses.toString();
  }
}

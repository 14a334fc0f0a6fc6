package dev.fencedoutbox.http;

import dev.fencedoutbox.relay.DeliveryOutcome;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a receiver answered, and what becomes of the delivery.
 *
 * @param from the receiver, for people
 * @param now by the database's clock
 */
record Answer(String from, ResponseInfo head, Supplier<Instant> now) {

  private static final Set<Integer> MAY_PASS = Set.of(408, 425, 429);

  private int status() {
    return head.statusCode();
  }

  private HttpHeaders headers() {
    return head.headers();
  }

  /** It came to its end. */
  DeliveryOutcome complete(byte[] beginning) {
    if (status() / 100 == 2) {
      return DeliveryOutcome.delivered();
    }
    String text = BodyText.of(beginning, headers());
    String says = text.isEmpty() ? "" : " It says: " + text;
    if (mayPass()) {
      return again(says);
    }
    if (status() / 100 == 3) {
      return DeliveryOutcome.bury(
          "%s answered %d, a redirect%s that is not followed. Give the publisher the new address.%s"
              .formatted(from, status(), whereTo(), says));
    }
    return DeliveryOutcome.bury(
        "%s answered %d, which no retry changes.%s".formatted(from, status(), says));
  }

  /**
   * It did not come to its end.
   *
   * @param trouble what happened to it
   */
  DeliveryOutcome brokenOff(String trouble) {
    return mayPass()
        ? again(" The answer " + trouble + ".")
        : DeliveryOutcome.retry(
            "%s answered %d, but the answer %s, so it does not count."
                .formatted(from, status(), trouble));
  }

  private boolean mayPass() {
    return MAY_PASS.contains(status()) || status() / 100 == 5;
  }

  private DeliveryOutcome again(String says) {
    Optional<Duration> asked = RetryAfter.of(headers(), now);
    String wait = asked.map(after -> " and asks to wait for " + after).orElse("");
    return new DeliveryOutcome.Retry(
        asked, "%s answered %d, which may pass%s.%s".formatted(from, status(), wait, says));
  }

  /** Without its path, which may be as secret as that of the address. */
  private String whereTo() {
    return headers()
        .firstValue("Location")
        .flatMap(Answer::uri)
        .filter(to -> to.getScheme() != null && to.getHost() != null)
        .map(to -> " to " + Addresses.origin(to))
        .orElse("");
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(URI.create(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}

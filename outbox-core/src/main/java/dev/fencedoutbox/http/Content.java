package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.internal.JsonStrings;
import dev.fencedoutbox.outbox.Delivery;
import java.util.Map;
import java.util.function.Function;

/** What is sent of a delivery, and its media type. */
record Content(Function<Delivery, String> type, Function<Delivery, byte[]> body) {

  static final Content AS_STORED = new Content(Delivery::contentType, Delivery::body);

  static Content slack(Function<Delivery, String> text) {
    return new Content(
        delivery -> "application/json",
        delivery ->
            JsonStrings.object(Map.of("text", required(delivery, text.apply(delivery))))
                .getBytes(UTF_8));
  }

  private static String required(Delivery delivery, String text) {
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException(
          "The text for %s is null or empty, which Slack does not take. Nothing was sent."
              .formatted(delivery));
    }
    return text;
  }
}

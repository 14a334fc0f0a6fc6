package dev.fencedoutbox.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The headers that the host adds to those of every delivery. Their values may be secrets, so no
 * text shows them. Immutable.
 */
final class OwnHeaders {

  static final OwnHeaders NONE = new OwnHeaders(Map.of(), List.of());

  private static final Set<String> THE_PUBLISHERS =
      Set.of("content-type", "idempotency-key", "traceparent", "tracestate");

  /** Beside those that the JDK's client refuses: they are about the connection. */
  private static final Set<String> THE_CLIENTS =
      Set.of(
          "http2-settings", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding");

  private static final URI ANYWHERE = URI.create("http://localhost/");

  private final Map<String, String> fixed;
  private final List<String> forwarded;

  private OwnHeaders(Map<String, String> fixed, List<String> forwarded) {
    this.fixed = fixed;
    this.forwarded = forwarded;
  }

  OwnHeaders withFixed(String name, String value) {
    requireFree(name);
    if (value.isEmpty() || !HeaderText.isPrintable(value)) {
      throw new IllegalArgumentException(
          "The value of header %s must be printable ASCII and is empty or has another character. Nothing was sent."
              .formatted(name));
    }
    Map<String, String> more = new LinkedHashMap<>(fixed);
    more.put(name, value);
    return new OwnHeaders(more, forwarded);
  }

  OwnHeaders withForwarded(String name) {
    requireFree(name);
    List<String> more = new ArrayList<>(forwarded);
    more.add(name);
    return new OwnHeaders(fixed, more);
  }

  private void requireFree(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (THE_PUBLISHERS.contains(lower)
        || lower.startsWith("outbox-")
        || lower.startsWith("webhook-")) {
      throw refused(name, "is set by the publisher itself");
    }
    if (THE_CLIENTS.contains(lower) || !isTakenByTheClient(name)) {
      throw refused(name, "is no header's name, or one that the client sets itself");
    }
    if (Stream.concat(fixed.keySet().stream(), forwarded.stream())
        .anyMatch(name::equalsIgnoreCase)) {
      throw refused(name, "is given twice");
    }
  }

  private static boolean isTakenByTheClient(String name) {
    try {
      HttpRequest.newBuilder(ANYWHERE).header(name, "x");
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static IllegalArgumentException refused(String name, String why) {
    return new IllegalArgumentException("Header \"%s\" %s. Nothing was sent.".formatted(name, why));
  }

  void addTo(HttpRequest.Builder request, Map<String, String> ofMessage) {
    fixed.forEach(request::setHeader);
    Stream.concat(Stream.of("traceparent", "tracestate"), forwarded.stream())
        .forEach(
            name -> {
              String value = ofMessage.get(name);
              if (value != null) {
                request.setHeader(name, HeaderText.printable(value));
              }
            });
  }
}

package dev.fencedoutbox.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;

/** What the JDK's client throws, in words; it throws some of it without a text. */
final class Trouble {

  private Trouble() {}

  /** Empty if the request may have been sent. */
  static Optional<String> beforeTheRequest(IOException broken) {
    if (broken instanceof HttpConnectTimeoutException) {
      return Optional.of("no connection in time");
    }
    if (broken instanceof ConnectException) {
      boolean unknown = causes(broken).anyMatch(UnresolvedAddressException.class::isInstance);
      return Optional.of(
          unknown
              ? "the host's name is not known"
              : "the connection was refused, or there is no way to it");
    }
    return broken instanceof SSLHandshakeException // before anything else is sent
        ? Optional.of("TLS failed: " + text(broken))
        : Optional.empty();
  }

  /** The first text that says something, or what it is. */
  static String text(IOException broken) {
    return causes(broken)
        .flatMap(cause -> Stream.ofNullable(cause.getMessage()))
        .findFirst()
        .orElse(broken.getClass().getSimpleName());
  }

  private static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause).limit(10);
  }
}

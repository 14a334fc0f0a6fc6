package dev.fencedoutbox.http;

import dev.fencedoutbox.outbox.Delivery;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where deliveries go. No text of it shows more of an address than scheme, host and port: the rest
 * may be a secret, as that of a Slack webhook is.
 */
final class Addresses {

  private static final Set<String> SCHEMES = Set.of("http", "https");

  private final Function<Delivery, URI> of;
  private final String forPeople;

  private Addresses(Function<Delivery, URI> of, String forPeople) {
    this.of = of;
    this.forPeople = forPeople;
  }

  static Addresses fixed(URI address) {
    URI checked = require("The address", address);
    return new Addresses(delivery -> checked, origin(checked));
  }

  static Addresses byDelivery(Function<Delivery, URI> address) {
    return new Addresses(
        delivery -> require("The address of " + delivery, address.apply(delivery)),
        "an address by delivery");
  }

  URI of(Delivery delivery) {
    return of.apply(delivery);
  }

  private static URI require(String what, @Nullable URI address) {
    if (address == null) {
      throw refused(what, "is null");
    }
    String scheme = address.getScheme();
    if (scheme == null || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
      throw refused(what, "has the scheme " + scheme);
    }
    if (address.getHost() == null) {
      throw refused(what, "has no host, or none that is a host's name");
    }
    if (address.getRawUserInfo() != null) {
      throw refused(what, "has a user or password");
    }
    if (address.getPort() == 0 || address.getPort() > 65_535) {
      throw refused(what, "has the port " + address.getPort());
    }
    return address;
  }

  private static IllegalArgumentException refused(String what, String why) {
    return new IllegalArgumentException(
        "%s must be http or https with a host, without user and password, and %s. Nothing was sent."
            .formatted(what, why));
  }

  /** Scheme, host and port, for people. */
  static String origin(URI address) {
    String port = address.getPort() < 0 ? "" : ":" + address.getPort();
    return address.getScheme() + "://" + address.getHost() + port;
  }

  @Override
  public String toString() {
    return forPeople;
  }
}

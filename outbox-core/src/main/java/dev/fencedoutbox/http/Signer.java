package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests, by one key or by several. Immutable; no text shows a key. */
final class Signer {

  static final Signer NONE = new Signer(List.of());

  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "whsec_";
  private static final int SHORTEST_KEY = 24;
  private static final int LONGEST_KEY = 64;

  private final List<SecretKey> keys;

  private Signer(List<SecretKey> keys) {
    this.keys = keys;
  }

  Signer with(String secret) {
    return new Signer(Stream.concat(keys.stream(), Stream.of(key(secret))).toList());
  }

  private static SecretKey key(String secret) {
    if (!secret.startsWith(PREFIX)) {
      throw refused("does not start so");
    }
    byte[] key;
    try {
      key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) { // whose text would show a part of it
      throw refused("is not in Base64");
    }
    if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY) {
      throw refused("has " + key.length + " bytes");
    }
    return new SecretKeySpec(key, ALGORITHM);
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "A secret must be %s and %d to %d bytes in Base64, and this one %s. Nothing was sent."
            .formatted(PREFIX, SHORTEST_KEY, LONGEST_KEY, why));
  }

  boolean signs() {
    return !keys.isEmpty();
  }

  /**
   * @param key as in {@code Idempotency-Key}
   */
  void sign(HttpRequest.Builder request, String key, Instant attemptedAt, byte[] body) {
    // A full stop in the id would let somebody move the borders between id, timestamp and body
    String id = key.replace(".", "%2E");
    String timestamp = Long.toString(attemptedAt.getEpochSecond());
    byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
    request
        .setHeader("webhook-id", id)
        .setHeader("webhook-timestamp", timestamp)
        .setHeader(
            "webhook-signature",
            keys.stream()
                .map(each -> "v1," + mac(each, head, body))
                .collect(Collectors.joining(" ")));
  }

  private static String mac(SecretKey key, byte[] head, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM); // not thread-safe, so one each time
      mac.init(key);
      mac.update(head);
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JDK cannot compute " + ALGORITHM, e);
    }
  }
}

package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.fencedoutbox.it.support.TestDatabase;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;

/** A receiver can tell that a request is ours, of now, and to the letter. */
class SignatureTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final String SECRET = secret("a secret of at least 24 bytes");
  private static final String NEXT = secret("another secret, of the next year");

  private final Publishing publishing = new Publishing(DB);

  private static String secret(String key) {
    return "whsec_" + Base64.getEncoder().encodeToString(key.getBytes(UTF_8));
  }

  private RecordedRequest signed(String eventId, String... secrets) {
    try (Receiver receiver = new Receiver().answers(200)) {
      var publisher = receiver.publisher();
      for (String secret : secrets) {
        publisher = publisher.signedWith(secret);
      }
      publishing.of(publisher.build(), message(eventId));
      return receiver.request();
    }
  }

  /** The receiver's side as docs/http.md shows it. */
  private static boolean isGenuine(Headers headers, byte[] body, String secret, Instant now)
      throws GeneralSecurityException {
    String id = headers.get("webhook-id");
    String timestamp = headers.get("webhook-timestamp");
    Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(sent, now).abs().compareTo(Duration.ofMinutes(5)) > 0) {
      return false; // a replay
    }
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    return Stream.of(headers.get("webhook-signature").split(" "))
        .anyMatch(given -> MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8)));
  }

  @Test
  void signature_isVerifiedByTenLinesOfTheReceivers() throws Exception {
    RecordedRequest request = signed("order-17-placed", SECRET);
    Headers headers = request.getHeaders();
    byte[] body = request.getBody().toByteArray();
    Instant now = Instant.now();

    assertThat(isGenuine(headers, body, SECRET, now)).isTrue();
    assertThat(isGenuine(headers, "{}".getBytes(UTF_8), SECRET, now)).as("another body").isFalse();
    assertThat(isGenuine(headers, body, NEXT, now)).as("another secret").isFalse();
    assertThat(isGenuine(headers, body, SECRET, now.plusSeconds(600))).as("a replay").isFalse();
    Headers moved = headers.newBuilder().set("webhook-timestamp", "" + now.plusSeconds(60).getEpochSecond()).build();
    assertThat(isGenuine(moved, body, SECRET, now)).as("another time").isFalse();
    Headers other = headers.newBuilder().set("webhook-id", "order-18-placed").build();
    assertThat(isGenuine(other, body, SECRET, now)).as("another event").isFalse();
  }

  /** By a library that knows nothing of this one. */
  @Test
  void signature_isThatOfStandardWebhooks() throws Exception {
    RecordedRequest request = signed("order-17-placed", SECRET);

    new Webhook(SECRET).verify(request.getBody().utf8(), request.getHeaders().toMultimap());

    assertThatThrownBy(
            () ->
                new Webhook(NEXT)
                    .verify(request.getBody().utf8(), request.getHeaders().toMultimap()))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void secrets_areReplacedWithoutAGap() throws Exception {
    RecordedRequest request = signed("order-17-placed", NEXT, SECRET);

    assertThat(request.getHeaders().get("webhook-signature")).matches("v1,\\S+ v1,\\S+");
    for (String secret : new String[] {SECRET, NEXT}) {
      new Webhook(secret).verify(request.getBody().utf8(), request.getHeaders().toMultimap());
    }
  }

  /** Full stops part id, timestamp and body; one in the id could be taken for another. */
  @Test
  void id_hasNoFullStop() throws Exception {
    RecordedRequest request = signed("order.17.placed", SECRET);

    assertThat(request.getHeaders().get("webhook-id")).isEqualTo("order%2E17%2Eplaced");
    assertThat(request.getHeaders().get("Idempotency-Key")).isEqualTo("order.17.placed");
    new Webhook(SECRET).verify(request.getBody().utf8(), request.getHeaders().toMultimap());
  }
}

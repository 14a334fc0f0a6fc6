package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.fencedoutbox.it.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final byte[] KEY = "a secret of at least 24 bytes".getBytes(UTF_8);
  private static final byte[] NEXT_KEY = "another secret, of the next year".getBytes(UTF_8);
  private static final String SECRET = secret(KEY);
  private static final String NEXT = secret(NEXT_KEY);

  private final Publishing publishing = new Publishing(DB);

  private static String secret(byte[] key) {
    return "whsec_" + Base64.getEncoder().encodeToString(key);
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

  /** The receiver's side, as docs/http.md shows it. */
  private static boolean isGenuine(Headers headers, byte[] body, byte[] key, Instant now)
      throws GeneralSecurityException {
    String id = headers.get("webhook-id");
    String timestamp = headers.get("webhook-timestamp");
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256")); // the Base64 after whsec_, decoded
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    byte[] expected =
        ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    return age.abs().compareTo(Duration.ofMinutes(5)) <= 0
        && Stream.of(headers.get("webhook-signature").split(" "))
            .anyMatch(given -> MessageDigest.isEqual(given.getBytes(UTF_8), expected));
  }

  @Test
  void verificationInTheGuide_isThisOne() throws IOException {
    String guide = words(Files.readString(Path.of("../docs/http.md")));
    String here =
        words(
            Files.readString(Path.of("src/test/java/dev/fencedoutbox/it/http/SignatureTest.java")));
    String shown = guide.substring(guide.indexOf("static boolean isGenuine"));

    assertThat(here).contains(shown.substring(0, shown.indexOf(" }") + 2));
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ");
  }

  @Test
  void signature_isVerifiedByTenLinesOfTheReceivers() throws Exception {
    RecordedRequest request = signed("order-17-placed", SECRET);
    Headers headers = request.getHeaders();
    byte[] body = request.getBody().toByteArray();
    Instant now = Instant.now();

    assertThat(isGenuine(headers, body, KEY, now)).isTrue();
    assertThat(isGenuine(headers, "{}".getBytes(UTF_8), KEY, now)).as("another body").isFalse();
    assertThat(isGenuine(headers, body, NEXT_KEY, now)).as("another secret").isFalse();
    assertThat(isGenuine(headers, body, KEY, now.plusSeconds(600))).as("a replay").isFalse();
    Headers moved =
        headers
            .newBuilder()
            .set("webhook-timestamp", "" + now.plusSeconds(60).getEpochSecond())
            .build();
    assertThat(isGenuine(moved, body, KEY, now)).as("another time").isFalse();
    Headers other = headers.newBuilder().set("webhook-id", "order-18-placed").build();
    assertThat(isGenuine(other, body, KEY, now)).as("another event").isFalse();
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

package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.DeliveryOutcome.Bury;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.DeliveryOutcome.Retry;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.net.http.HttpClient;
import java.time.Duration;
import mockwebserver3.MockResponse;
import okio.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a delivery by what the receiver answers. */
class StatusTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Publishing publishing = new Publishing(DB);

  private DeliveryOutcome after(MockResponse.Builder answer) {
    try (Receiver receiver = new Receiver()) {
      return publishing.of(receiver.answers(any -> answer).publisher().build());
    }
  }

  private DeliveryOutcome after(int status) {
    return after(new MockResponse.Builder().code(status));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 226})
  void success_isDelivered(int status) {
    assertThat(after(status)).isInstanceOf(Delivered.class);
    assertThat(DB.dsl().fetchCount(RECEIPT)).isOne();
    assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 501, 502, 503, 504, 599})
  void whatMayPass_isTriedAgain_asTheBackoffSays(int status) {
    Retry retry = (Retry) after(status);

    assertThat(retry.after()).isEmpty();
    assertThat(publishing.reason(retry))
        .endsWith(" answered %d, which may pass.".formatted(status));
    assertThat(DB.dsl().fetchSingle(DELIVERY).getStatus()).isEqualTo(DeliveryStatus.READY);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 413, 422, 451})
  void whatNoRetryChanges_isBuried_withTheBeginningOfTheBody(int status) {
    DeliveryOutcome outcome =
        after(new MockResponse.Builder().code(status).body("{\"error\": \"no such customer\"}"));

    assertThat(outcome).isInstanceOf(Bury.class);
    assertThat(publishing.reason(outcome))
        .matches("http://[^/]+:\\d+ answered %d, which no retry changes.*".formatted(status))
        .endsWith("It says: {\"error\": \"no such customer\"}");
    assertThat(DB.dsl().fetchSingle(DELIVERY).getStatus()).isEqualTo(DeliveryStatus.DEAD);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirect_isNotFollowed_andIsBuried_withoutItsPath(int status) {
    try (Receiver other = new Receiver();
        Receiver receiver = new Receiver()) {
      receiver.answers(
          answer -> answer.code(status).addHeader("Location", other.uri("/secret").toString()));

      DeliveryOutcome outcome = publishing.of(receiver.publisher().build());

      assertThat(outcome).isInstanceOf(Bury.class);
      assertThat(publishing.reason(outcome))
          .isEqualTo(
              "%s answered %d, a redirect to %s that is not followed. Give the publisher the new address."
                  .formatted(receiver.origin(), status, other.origin()));
      assertThat(other.requests()).isZero();
    }
  }

  /** The JDK's client follows such a redirect by a GET without a body. */
  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303})
  void redirect_thatAClientFollowsWithoutTheMessage_isBuried(int status) {
    try (Receiver login = new Receiver();
        Receiver receiver = new Receiver()) {
      receiver.answers(
          answer -> answer.code(status).addHeader("Location", login.uri("/login").toString()));
      login.answers(200);

      DeliveryOutcome outcome = publishing.of(following(receiver));

      assertThat(outcome).isInstanceOf(Bury.class);
      assertThat(publishing.reason(outcome))
          .isEqualTo(
              "%s answered by a redirect, and the client followed it to %s by a GET without the message. Give the publisher the new address."
                  .formatted(receiver.origin(), login.origin()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {307, 308})
  void redirect_thatAClientFollowsWithTheMessage_isDelivered(int status) {
    try (Receiver moved = new Receiver();
        Receiver receiver = new Receiver()) {
      receiver.answers(
          answer -> answer.code(status).addHeader("Location", moved.uri("/new").toString()));
      moved.answers(200);

      assertThat(publishing.of(following(receiver))).isInstanceOf(Delivered.class);
      assertThat(moved.request().getBodySize()).isPositive();
    }
  }

  private static HttpPublisher following(Receiver receiver) {
    return receiver
        .publisher()
        .client(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build())
        .build();
  }

  @Test
  void retryAfter_inSeconds_isObeyed() {
    Retry retry =
        (Retry) after(new MockResponse.Builder().code(429).addHeader("Retry-After", "120"));

    assertThat(retry.after()).contains(Duration.ofMinutes(2));
    assertThat(publishing.reason(retry)).endsWith("which may pass and asks to wait for PT2M.");
    assertThat(waitInRow()).isBetween(Duration.ofSeconds(100), Duration.ofSeconds(120));
  }

  /** Ten years off this machine's clock, and the database's. */
  @Test
  void retryAfter_asADate_isHeldAgainstTheDateOfTheAnswer() {
    Retry retry =
        (Retry)
            after(
                new MockResponse.Builder()
                    .code(503)
                    .addHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
                    .addHeader("Retry-After", "Sun, 06 Nov 1994 08:51:07 GMT"));

    assertThat(retry.after()).contains(Duration.ofSeconds(90));
  }

  @Test
  void retryAfter_asADate_withoutAnotherInTheAnswer_isHeldAgainstTheDatabasesClock() {
    String inAnHour =
        DB.dsl()
            .fetchSingle(
                "select to_char((clock_timestamp() + interval '1 hour') at time zone 'UTC',"
                    + " 'Dy, DD Mon YYYY HH24:MI:SS') || ' GMT'")
            .get(0, String.class);

    Retry retry =
        (Retry) after(new MockResponse.Builder().code(503).addHeader("Retry-After", inAnHour));

    assertThat(retry.after().orElseThrow()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "999999999999999999999999      | P365D",
        "Fri, 31 Dec 9999 23:59:59 GMT | P365D",
        "00001                         | PT1S",
      })
  void retryAfter_isHeldWithinItsBounds(String asked, Duration obeyed) {
    Retry retry =
        (Retry) after(new MockResponse.Builder().code(503).addHeader("Retry-After", asked));

    assertThat(retry.after()).contains(obeyed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-5", "1.5", "", "0", "Sun, 06 Nov 1994 08:49:37 GMT"})
  void retryAfter_thatCannotBeRead_orAsksForNoWait_isLeftToTheBackoff(String asked) {
    Retry retry =
        (Retry) after(new MockResponse.Builder().code(503).addHeader("Retry-After", asked));

    assertThat(retry.after()).isEmpty();
  }

  @Test
  void body_ofAnySize_isReadToItsBeginningOnly() {
    DeliveryOutcome outcome =
        after(
            new MockResponse.Builder()
                .code(400)
                .body(new Buffer().writeUtf8("no ".repeat(1 << 20))));

    assertThat(publishing.reason(outcome))
        .matches(".* It says: (no )+n?o?[.]{3}")
        .hasSizeLessThan(600);
    assertThat(
            after(new MockResponse.Builder().code(200).body(new Buffer().write(new byte[3 << 20]))))
        .isInstanceOf(Delivered.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain; charset=klingon", "text/plain; charset=?", "", "\"charset="})
  void body_ofNoCharsetThatIsKnown_isReadAsUtf8(String contentType) {
    DeliveryOutcome outcome =
        after(
            new MockResponse.Builder()
                .code(400)
                .addHeader("Content-Type", contentType)
                .body("f\u00fcnf"));

    assertThat(publishing.reason(outcome)).endsWith("It says: f\u00fcnf");
  }

  @Test
  void body_inItsCharset_isReadByIt() {
    DeliveryOutcome outcome =
        after(
            new MockResponse.Builder()
                .code(400)
                .addHeader("Content-Type", "text/plain; charset=\"ISO-8859-1\"")
                .body(new Buffer().write("f\u00fcnf".getBytes(ISO_8859_1))));

    assertThat(publishing.reason(outcome)).endsWith("It says: f\u00fcnf");
  }

  /** Case 24: what PostgreSQL cannot store does not keep the failure from being recorded. */
  @Test
  void body_thatIsNoText_isCleaned() {
    DeliveryOutcome outcome =
        after(
            new MockResponse.Builder()
                .code(400)
                .body(
                    new Buffer().write(new byte[] {'a', 0, '\r', '\n', 7, 'b', (byte) 0xFF, 'c'})));

    assertThat(publishing.reason(outcome)).endsWith("It says: a b\uFFFDc");
  }

  private static Duration waitInRow() {
    return Duration.ofMillis(
        DB.dsl()
            .fetchSingle(
                "select (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::bigint"
                    + " from outbox.delivery")
            .get(0, Long.class));
  }
}

package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.SteppedRelay;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okio.ByteString;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;

/** What a receiver is told. */
class RequestTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Topic<byte[]> BLOB =
      Topic.bytes(
          "blob",
          "application/x-protobuf",
          Converter.of(byte[].class, byte[].class, bytes -> bytes, bytes -> bytes));

  private final Publishing publishing = new Publishing(DB);

  @Test
  void request_saysWhatItIsAbout() {
    try (Receiver receiver = new Receiver().answers(200)) {
      publishing.of(
          receiver.publisher().header("Authorization", "Bearer secret").build(),
          message("order-17-placed")
              .orderingKey("17")
              .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
              .header("tracestate", "vendor=1, other=2")
              .header("X-Tenant", "not on the list"));

      RecordedRequest request = receiver.request();
      Headers headers = request.getHeaders();
      assertThat(request.getRequestLine())
          .isEqualTo("POST /hook/secret-path?token=secret HTTP/1.1");
      assertThat(body(request).utf8()).isEqualTo("{\"n\": 1}");
      assertThat(headers.get("Content-Type")).isEqualTo("application/json");
      assertThat(headers.get("Idempotency-Key")).isEqualTo("order-17-placed");
      assertThat(headers.get("Outbox-Topic")).isEqualTo("plain");
      assertThat(headers.get("Outbox-Ordering-Key")).isEqualTo("17");
      assertThat(headers.get("Outbox-Delivery-Id")).matches("\\d+");
      assertThat(headers.get("Outbox-Epoch")).isEqualTo("1");
      assertThat(headers.get("Outbox-Attempt")).isEqualTo("1");
      assertThat(headers.get("Authorization")).isEqualTo("Bearer secret");
      assertThat(headers.get("traceparent"))
          .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
      assertThat(headers.get("tracestate")).isEqualTo("vendor=1, other=2");
      assertThat(headers.names())
          .doesNotContain("X-Tenant", "webhook-signature", "Upgrade", "HTTP2-Settings");
    }
  }

  @Test
  void secondAttempt_hasTheSameKey_andALaterEpoch() {
    try (Receiver receiver = new Receiver().answers(503).answers(200)) {
      HttpPublisher publisher = receiver.publisher().build();
      publishing.of(publisher);
      assertThat(publishing.later(publisher)).hasOnlyElementsOfType(Delivered.class);

      Headers first = receiver.request().getHeaders();
      Headers second = receiver.request().getHeaders();
      assertThat(second.get("Idempotency-Key")).isEqualTo(first.get("Idempotency-Key"));
      assertThat(second.get("Outbox-Delivery-Id")).isEqualTo(first.get("Outbox-Delivery-Id"));
      assertThat(second.get("Outbox-Epoch")).isEqualTo("2");
      assertThat(second.get("Outbox-Attempt")).isEqualTo("2");
    }
  }

  @Test
  void bytes_areSentToTheLetter_underTheirType() {
    byte[] blob = {0, 1, (byte) 0xFF, '\n'};
    try (Receiver receiver = new Receiver().answers(200)) {
      publishing.of(receiver.publisher().build(), BLOB.message(blob));

      RecordedRequest request = receiver.request();
      assertThat(body(request).toByteArray()).isEqualTo(blob);
      assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/x-protobuf");
      assertThat(request.getHeaders().get("Outbox-Ordering-Key")).isNull();
    }
  }

  @Test
  void json_isSentInUtf8() {
    try (Receiver receiver = new Receiver().answers(200)) {
      publishing.of(
          receiver.publisher().build(), PLAIN.message(JSONB.valueOf("\"f\u00fcnf \uD83D\uDE80\"")));

      assertThat(body(receiver.request()).string(UTF_8)).isEqualTo("\"f\u00fcnf \uD83D\uDE80\"");
    }
  }

  /** The JDK's client would send each of them as "?", and so make them one key. */
  @Test
  void identities_thatAreNotAscii_arePercentEncoded_andStayDifferent() {
    try (Receiver receiver = new Receiver().answers(200).answers(200).answers(200)) {
      publishing.of(
          receiver.publisher().build(),
          message("caf\u00e9 \uD83D\uDE80\n"),
          message("caf%C3%A9").orderingKey("\u00e9"),
          message("caf\u00e8"));

      List<Headers> all =
          List.of(
              receiver.request().getHeaders(),
              receiver.request().getHeaders(),
              receiver.request().getHeaders());
      assertThat(all)
          .extracting(headers -> headers.get("Idempotency-Key"))
          .containsExactlyInAnyOrder("caf%C3%A9%20%F0%9F%9A%80%0A", "caf%25C3%25A9", "caf%C3%A8");
      assertThat(all).extracting(headers -> headers.get("Outbox-Ordering-Key")).contains("%C3%A9");
    }
  }

  @Test
  void headersOnTheList_areSentOn() {
    try (Receiver receiver = new Receiver().answers(200)) {
      publishing.of(
          receiver.publisher().forward("X-Tenant", "X-Absent").build(),
          message("event-1")
              .header("X-Tenant", "a b%20\r\nInjected: 1 \u00e9")
              .header("x-other", "o"));

      Headers headers = receiver.request().getHeaders();
      assertThat(headers.get("X-Tenant")).isEqualTo("a b%20%0D%0AInjected: 1 %C3%A9");
      assertThat(headers.names()).doesNotContain("X-Absent", "x-other", "Injected");
    }
  }

  @Test
  void address_mayDependOnTheDelivery() {
    try (Receiver one = new Receiver().answers(200);
        Receiver other = new Receiver().answers(200)) {
      HttpPublisher publisher =
          HttpPublisher.to(
                  delivery ->
                      delivery.eventId().startsWith("one") ? one.uri("/1") : other.uri("/2"))
              .build();
      publishing.of(publisher, message("one-1"), message("other-1"));

      assertThat(one.request().getHeaders().get("Idempotency-Key")).isEqualTo("one-1");
      assertThat(other.request().getHeaders().get("Idempotency-Key")).isEqualTo("other-1");
    }
  }

  @Test
  void addressThatCannotBeUsed_isAFailedAttempt_whoseTextKeepsTheSecret() {
    HttpPublisher publisher =
        HttpPublisher.to(delivery -> URI.create("ftp://user:secret@host/secret")).build();

    publishing.of(publisher, message("event-1"));

    String error = DB.dsl().fetchSingle(DELIVERY).getLastError();
    assertThat(error).contains("has the scheme ftp. Nothing was sent.").doesNotContain("secret");
  }

  @Test
  void typedForm_sendsTheSame() {
    DB.clear();
    Fixtures.enqueue(DB.dsl(), message("event-1"));
    try (Receiver receiver = new Receiver().answers(200);
        SteppedRelay relay =
            Relay.from(DB.pool())
                .onDeciding(PLAIN, receiver.publisher().build().typed())
                .stepByStep()) {
      relay.runUntilEmpty();

      assertThat(relay.counters().delivered()).isOne();
      assertThat(body(receiver.request()).utf8()).isEqualTo("{\"n\": 1}");
    }
  }

  /** Article 001: a Slack webhook, which answers ok. */
  @Test
  void slack_isSentTheTextOfTheHost_whateverIsInIt() throws Exception {
    String text = "5 < 6 & \"quoted\" \\ \n\u0001 caf\u00e9 \uD83D\uDE80 \u2028";
    try (Receiver receiver = new Receiver().answers(answer -> answer.body("ok"))) {
      HttpPublisher publisher =
          receiver.publisher().slackText(delivery -> text + " half \uD83D").build();

      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      RecordedRequest request = receiver.request();
      assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/json");
      assertThat(request.getHeaders().get("Idempotency-Key")).isEqualTo("event-1");
      JsonNode posted = new ObjectMapper().readTree(body(request).toByteArray());
      assertThat(posted).hasSize(1);
      assertThat(posted.get("text").textValue()).isEqualTo(text + " half \uFFFD");
    }
  }

  @Test
  void slack_thatWantsLess_isObeyed() {
    try (Receiver receiver =
        new Receiver()
            .answers(
                answer -> answer.code(429).addHeader("Retry-After", "30").body("rate_limited"))) {
      DeliveryOutcome outcome =
          publishing.of(receiver.publisher().slackText(delivery -> "alert").build());

      assertThat(((DeliveryOutcome.Retry) outcome).after()).contains(Duration.ofSeconds(30));
      assertThat(publishing.reason(outcome)).endsWith("PT30S. It says: rate_limited");
    }
  }

  private static ByteString body(RecordedRequest request) {
    return Objects.requireNonNull(request.getBody());
  }
}

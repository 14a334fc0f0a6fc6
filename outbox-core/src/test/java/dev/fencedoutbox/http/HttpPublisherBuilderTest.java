package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad values are refused before anything is sent, and nothing that is said shows a secret. */
class HttpPublisherBuilderTest {

  private static final URI ADDRESS = URI.create("https://example.com/secret?token=secret");

  private static HttpPublisherBuilder publisher() {
    return HttpPublisher.to(ADDRESS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://example.com/secret",
        "/secret",
        "mailto:secret@example.com",
        "http:///secret",
        "http://under_score/secret",
        "https://user:secret@example.com/",
        "http://example.com:0/secret",
        "http://example.com:65536/secret"
      })
  void address_thatCannotBeUsed_isRefused_withoutItsPath(String address) {
    assertThatThrownBy(() -> HttpPublisher.to(URI.create(address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The address must be http or https with a host")
        .hasMessageEndingWith("Nothing was sent.")
        .hasMessageNotContaining("secret");
  }

  @Test
  void timeouts_outOfTheirBounds_areRefused() {
    assertThatThrownBy(() -> publisher().timeout(Duration.ZERO))
        .hasMessage("The timeout must be between PT0.001S and PT1H and is PT0S. Nothing was sent.");
    assertThatThrownBy(() -> publisher().timeout(Duration.ofHours(2)))
        .hasMessageContaining("and is PT2H");
    assertThatThrownBy(() -> publisher().connectTimeout(Duration.ZERO))
        .hasMessageStartingWith("The connect timeout must be between");
    assertThatThrownBy(
            () ->
                publisher()
                    .connectTimeout(Duration.ofSeconds(5))
                    .timeout(Duration.ofSeconds(4))
                    .build())
        .hasMessageContaining("connect timeout of PT5S is longer than the timeout of PT4S");
    assertThat(publisher().timeout(Duration.ofSeconds(1)).build().longest())
        .as("the usual connect timeout is longer, and gives way")
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void connectTimeout_besideAClientOfTheHosts_isRefused() {
    assertThatThrownBy(
            () ->
                publisher()
                    .client(HttpClient.newHttpClient())
                    .connectTimeout(Duration.ofSeconds(1))
                    .build())
        .hasMessageContaining("a connect timeout of PT1S, which is the client's own matter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type",
        "idempotency-key",
        "Outbox-Epoch",
        "outbox-anything",
        "Webhook-Signature",
        "traceparent"
      })
  void header_ofThePublishers_isRefused(String name) {
    String message =
        "Header \"%s\" is set by the publisher itself. Nothing was sent.".formatted(name);
    assertThatThrownBy(() -> publisher().header(name, "x")).hasMessage(message);
    assertThatThrownBy(() -> publisher().forward(name)).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Host", "content-length", "Connection", "Transfer-Encoding", "a b", "", "\u00e9"})
  void header_ofTheClients_orNone_isRefused(String name) {
    assertThatThrownBy(() -> publisher().header(name, "x"))
        .hasMessageContaining("is no header's name, or one that the client sets itself");
    assertThatThrownBy(() -> publisher().forward("X-Tenant", name))
        .hasMessageContaining("is no header's name, or one that the client sets itself");
  }

  @Test
  void header_givenTwice_isRefused() {
    assertThatThrownBy(() -> publisher().header("X-Tenant", "a").forward("x-tenant"))
        .hasMessage("Header \"x-tenant\" is given twice. Nothing was sent.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret\r\nInjected: 1", "secret\u00e9", "secret\u0000"})
  void header_ofAValueThatCannotBeSent_isRefused_withoutTheValue(String value) {
    assertThatThrownBy(() -> publisher().header("Authorization", value))
        .hasMessageStartingWith("The value of header Authorization must be printable ASCII")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "whsec_",
        "whsec_secret!",
        "whsec_c2VjcmV0",
        "whpk_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2Vj"
      })
  void secret_thatIsNone_isRefused_withoutItsText(String secret) {
    assertThatThrownBy(() -> publisher().signedWith(secret))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageStartingWith(
            "A secret must be whsec_ and 24 to 64 bytes in Base64, and this one ")
        .hasMessageNotContaining("c2V")
        .hasMessageNotContaining("secret!");
  }

  @Test
  void toString_showsNoSecret() {
    String key =
        Base64.getEncoder().encodeToString("a secret of enough bytes, at last".getBytes(UTF_8));
    HttpPublisher publisher =
        publisher().header("Authorization", "secret").signedWith("whsec_" + key).build();

    assertThat(publisher).hasToString("HTTP publisher to https://example.com within PT10S");
    assertThat(publisher.typed().toString()).doesNotContain("secret").doesNotContain(key);
    assertThat(HttpPublisher.to(delivery -> ADDRESS).build())
        .hasToString("HTTP publisher to an address by delivery within PT10S");
    assertThatCode(() -> HttpPublisher.to(URI.create("http://[::1]:1/")).build())
        .doesNotThrowAnyException();
  }
}

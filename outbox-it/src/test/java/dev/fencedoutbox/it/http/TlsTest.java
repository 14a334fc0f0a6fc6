package dev.fencedoutbox.it.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.DeliveryOutcome.Bury;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.DeliveryOutcome.Retry;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockWebServer;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.Buffer;
import org.junit.jupiter.api.Test;

/** Over TLS, with a certificate that nobody has signed, and by HTTP/2. */
class TlsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder()
          .addSubjectAlternativeName("localhost")
          .addSubjectAlternativeName("127.0.0.1")
          .build();

  private final Publishing publishing = new Publishing(DB);

  private static Receiver receiver(Protocol... protocols) {
    return new Receiver(
        (MockWebServer server) -> {
          server.useHttps(
              new HandshakeCertificates.Builder()
                  .heldCertificate(CERTIFICATE)
                  .build()
                  .sslSocketFactory());
          if (protocols.length > 0) {
            server.setProtocols(List.of(protocols));
          }
          return server;
        });
  }

  private static HttpClient trusting() {
    return HttpClient.newBuilder()
        .sslContext(
            new HandshakeCertificates.Builder()
                .addTrustedCertificate(CERTIFICATE.certificate())
                .build()
                .sslContext())
        .build();
  }

  @Test
  void certificateThatIsNotTrusted_isTriedAgain_withAClearReason() {
    try (Receiver receiver = receiver()) {
      DeliveryOutcome outcome = publishing.of(receiver.publisher().build());

      assertThat(outcome).isInstanceOf(Retry.class);
      assertThat(publishing.reason(outcome))
          .startsWith(receiver.origin() + ": TLS failed: ")
          .contains("unable to find valid certification path to requested target");
      assertThat(receiver.requests()).isZero();
    }
  }

  @Test
  void receiverThatSpeaksHttp2_isSpokenToByIt() {
    try (Receiver receiver = receiver().answers(204)) {
      HttpPublisher publisher = receiver.publisher().client(trusting()).build();

      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      assertThat(receiver.request().getRequestLine()).endsWith("HTTP/2");
    }
  }

  @Test
  void receiverThatDoesNot_isSpokenToByHttp1() {
    try (Receiver receiver = receiver(Protocol.HTTP_1_1).answers(204)) {
      HttpPublisher publisher = receiver.publisher().client(trusting()).build();

      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      assertThat(receiver.request().getRequestLine()).endsWith("HTTP/1.1");
    }
  }

  @Test
  void version_canBeAskedFor() {
    try (Receiver receiver = receiver().answers(204)) {
      HttpPublisher publisher =
          receiver.publisher().client(trusting()).version(HttpClient.Version.HTTP_1_1).build();

      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      assertThat(receiver.request().getRequestLine()).endsWith("HTTP/1.1");
    }
  }

  @Test
  void bodyThatDrips_endsWithTheTimeout_byHttp2AsWell() {
    try (Receiver receiver = receiver()) {
      receiver
          .answers(200)
          .answers(
              answer ->
                  answer.body("x".repeat(60_000)).throttleBody(512, 50, TimeUnit.MILLISECONDS));
      HttpPublisher publisher =
          receiver.publisher().client(trusting()).timeout(Duration.ofSeconds(1)).build();
      publishing.of(publisher); // the client's first request is slow

      assertThat(publishing.reason(publishing.of(publisher)))
          .endsWith(" answered 200, but the answer did not end within PT1S, so it does not count.");
    }
  }

  @Test
  void bodyOfAnySize_isReadToItsBeginningOnly_byHttp2AsWell() {
    try (Receiver receiver = receiver()) {
      receiver.answers(
          answer -> answer.code(400).body(new Buffer().writeUtf8("no ".repeat(1 << 20))));

      DeliveryOutcome outcome = publishing.of(receiver.publisher().client(trusting()).build());

      assertThat(outcome).isInstanceOf(Bury.class);
      assertThat(publishing.reason(outcome))
          .matches(".* It says: (no )+n?o?[.]{3}")
          .hasSizeLessThan(600);
    }
  }
}

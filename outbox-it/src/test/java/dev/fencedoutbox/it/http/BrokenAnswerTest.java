package dev.fencedoutbox.it.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.DeliveryOutcome.Retry;
import dev.fencedoutbox.relay.SteppedRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * No answer, or not to its end: the receiver may have taken the message in, so it is sent again.
 */
@Timeout(60)
class BrokenAnswerTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final Publishing publishing = new Publishing(DB);

  private String reason(DeliveryOutcome outcome) {
    assertThat(outcome).isInstanceOf(Retry.class);
    return publishing.reason(outcome);
  }

  @Test
  void silence_endsWithTheTimeout() {
    try (Receiver receiver = new Receiver()) {
      receiver.answers(answer -> answer.onResponseStart(SocketEffect.Stall.INSTANCE));

      assertThat(
              reason(publishing.of(receiver.publisher().timeout(Duration.ofMillis(250)).build())))
          .isEqualTo(
              receiver.origin()
                  + ": no answer within PT0.25S. The message may have been taken in.");
    }
  }

  /** As the JDK's client does while it looks up the host's name. */
  @Test
  void clientThatStandsStillBeforeItSends_isNotWaitedForLonger() {
    StandingClient client = new StandingClient();
    try (Receiver receiver = new Receiver()) {
      receiver.answers(200);
      HttpPublisher publisher =
          receiver.publisher().timeout(Duration.ofMillis(250)).client(client).build();

      assertThat(reason(publishing.of(publisher)))
          .isEqualTo(
              receiver.origin()
                  + ": no answer within PT0.25S. The message may have been taken in.");
    } finally {
      client.goOn();
    }
  }

  /** Some 6 s for the body, a little at a time, so that no pause is ever long. */
  private static MockResponse.Builder dripping(MockResponse.Builder answer) {
    return answer.body("x".repeat(60_000)).throttleBody(512, 50, TimeUnit.MILLISECONDS);
  }

  @Test
  void bodyThatDrips_endsWithTheTimeout_andSoDoesItsConnection() {
    try (Receiver receiver = new Receiver()) {
      receiver.answers(200).answers(BrokenAnswerTest::dripping).answers(200);
      HttpPublisher publisher = receiver.publisher().timeout(SHORT).build();
      publishing.of(publisher); // the client's first request is slow

      assertThat(reason(publishing.of(publisher)))
          .isEqualTo(
              receiver.origin()
                  + " answered 200, but the answer did not end within PT2S, so it does not count.");

      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      assertThat(Stream.generate(receiver::request).limit(3))
          .extracting(RecordedRequest::getConnectionIndex)
          .containsExactly(0, 0, 1);
    }
  }

  @Test
  void bodyThatDrips_afterAStatusThatMayPass_takesNothingFromRetryAfter() {
    try (Receiver receiver = new Receiver()) {
      receiver
          .answers(200)
          .answers(answer -> dripping(answer.code(429).addHeader("Retry-After", "60")));
      HttpPublisher publisher = receiver.publisher().timeout(SHORT).build();
      publishing.of(publisher);

      DeliveryOutcome outcome = publishing.of(publisher);

      assertThat(reason(outcome))
          .endsWith("asks to wait for PT1M. The answer did not end within PT2S.");
      assertThat(((Retry) outcome).after()).contains(Duration.ofMinutes(1));
    }
  }

  @Test
  void bodyThatIsCutOff_doesNotCount() {
    try (Receiver receiver = new Receiver()) {
      receiver.answers(
          answer -> answer.body("x".repeat(4_000)).onResponseBody(new SocketEffect.CloseSocket()));

      assertThat(reason(publishing.of(receiver.publisher().build())))
          .startsWith(receiver.origin() + " answered 200, but the answer broke off (")
          .endsWith("), so it does not count.");
    }
  }

  @Test
  void connectionThatIsClosedWithoutAnAnswer_isTriedAgain() {
    try (Receiver receiver = new Receiver()) {
      receiver.answers(answer -> answer.onResponseStart(new SocketEffect.CloseSocket()));

      assertThat(reason(publishing.of(receiver.publisher().build())))
          .startsWith(receiver.origin() + ": the connection broke before an answer (")
          .endsWith("). The message may have been taken in.");
      assertThat(receiver.requests()).as("the client repeats nothing by itself").isOne();
    }
  }

  @Test
  void connectionThatIsReset_isTriedAgain() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var reset =
          Executors.newSingleThreadExecutor()
              .submit(
                  () -> {
                    try (Socket socket = server.accept()) {
                      assertThat(socket.getInputStream().read()).isEqualTo('P');
                      socket.setSoLinger(true, 0); // to close is to reset
                    }
                    return null;
                  });
      URI address = URI.create("http://localhost:" + server.getLocalPort() + "/");

      assertThat(reason(publishing.of(HttpPublisher.to(address).build())))
          .startsWith("http://localhost:")
          .contains(": the connection broke before an answer (");
      reset.get();
    }
  }

  @Test
  void connectionThatIsRefused_isTriedAgain() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }

    assertThat(
            reason(
                publishing.of(
                    HttpPublisher.to(URI.create("http://localhost:" + port + "/secret")).build())))
        .isEqualTo(
            "http://localhost:" + port + ": the connection was refused, or there is no way to it.");
  }

  @Test
  void hostThatIsNotKnown_isTriedAgain() {
    assertThat(
            reason(
                publishing.of(
                    HttpPublisher.to(URI.create("http://no-such-host.invalid/")).build())))
        .isEqualTo("http://no-such-host.invalid: the host's name is not known.");
  }

  /** As the relay does when the lease is lost, the handler's time is over, or it is closed. */
  @Test
  void interrupt_endsTheExchange_andIsKept() throws Exception {
    DB.clear();
    Fixtures.enqueue(DB.dsl(), Fixtures.message("event-1"));
    List<DeliveryOutcome> outcomes = Publishing.outcomes();
    AtomicBoolean kept = new AtomicBoolean();
    try (Receiver receiver = new Receiver()) {
      receiver.answers(answer -> answer.onResponseStart(SocketEffect.Stall.INSTANCE)).answers(200);
      HttpPublisher publisher = receiver.publisher().build();
      try (SteppedRelay relay =
          publishing
              .relay(publisher, outcomes)
              .intercept(
                  (attempts, next) -> {
                    List<DeliveryOutcome> answered = next.proceed();
                    kept.set(Thread.currentThread().isInterrupted());
                    return answered;
                  })
              .stepByStep()) {
        relay.claim();
        Thread handler = new Thread(relay::deliver);
        handler.start();
        receiver.request();
        handler.interrupt();
        handler.join();
        relay.record();
      }

      assertThat(kept).isTrue();
      assertThat(reason(outcomes.get(0)))
          .isEqualTo(
              receiver.origin()
                  + ": the handler was interrupted before an answer. The message may have been"
                  + " taken in.");
      assertThat(publishing.of(publisher)).isInstanceOf(Delivered.class);
      assertThat(receiver.request().getConnectionIndex()).as("another connection").isOne();
    }
  }

  @Test
  void interrupt_beforeTheRequest_sendsNothing() throws Exception {
    DB.clear();
    Fixtures.enqueue(DB.dsl(), Fixtures.message("event-1"));
    List<DeliveryOutcome> outcomes = Publishing.outcomes();
    try (Receiver receiver = new Receiver();
        SteppedRelay relay =
            publishing.relay(receiver.publisher().build(), outcomes).stepByStep()) {
      relay.claim();
      Thread.currentThread().interrupt();
      relay.deliver();
      relay.record();

      assertThat(reason(outcomes.get(0))).endsWith("Nothing was sent.");
      assertThat(receiver.requests()).isZero();
    }
  }
}

package dev.fencedoutbox.it.http;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.http.HttpPublisherBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/** A real server on loopback that answers as a test wants, and remembers what it was asked. */
final class Receiver implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final MockWebServer server = new MockWebServer();

  Receiver() {
    this(server -> server);
  }

  /** One with TLS, or of other manners. */
  Receiver(UnaryOperator<MockWebServer> manners) {
    try {
      manners.apply(server).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its next answer. */
  Receiver answers(UnaryOperator<MockResponse.Builder> answer) {
    server.enqueue(answer.apply(new MockResponse.Builder()).build());
    return this;
  }

  Receiver answers(int status) {
    return answers(answer -> answer.code(status));
  }

  URI uri(String path) {
    return server.url(path).uri();
  }

  /** Scheme, host and port, as reasons name it. */
  String origin() {
    URI uri = uri("/");
    return uri.getScheme() + "://" + uri.getHost() + ":" + uri.getPort();
  }

  HttpPublisherBuilder publisher() {
    return HttpPublisher.to(uri("/hook/secret-path?token=secret"));
  }

  /** The next request that came in. */
  RecordedRequest request() {
    try {
      RecordedRequest request = server.takeRequest(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (request == null) {
        throw new AssertionError("no request within " + PATIENCE);
      }
      return request;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  int requests() {
    return server.getRequestCount();
  }

  @Override
  public void close() {
    server.close();
  }
}

package dev.fencedoutbox.it.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Takes events over HTTP; what is answered is applied. */
final class HttpReceiver implements Receiver {

  private static final int NO_CONTENT = 204;
  private static final int BAD_REQUEST = 400;
  private static final int NO_BODY = -1;

  private final Billing billing;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private HttpReceiver(Billing billing, HttpServer server) {
    this.billing = billing;
    this.server = server;
  }

  /** Listens on a free port of this machine. */
  static HttpReceiver start(Billing billing) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HttpReceiver receiver = new HttpReceiver(billing, server);
    server.createContext("/events", receiver::receive);
    server.setExecutor(receiver.threads);
    server.start();
    return receiver;
  }

  @Override
  public URI endpoint() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://%s:%d/events".formatted(address.getAddress().getHostAddress(), address.getPort()));
  }

  @Override
  public boolean isCaughtUp() {
    return true;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      @Nullable String eventId = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      if (eventId == null) {
        exchange.sendResponseHeaders(BAD_REQUEST, NO_BODY);
        return;
      }
      billing.take(eventId, exchange.getRequestBody().readAllBytes());
      exchange.sendResponseHeaders(NO_CONTENT, NO_BODY);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

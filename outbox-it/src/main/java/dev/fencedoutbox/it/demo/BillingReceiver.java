package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static org.jooq.impl.DSL.inline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.app.OrderPlaced;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The billing side: takes events over HTTP and applies each once, through its inbox, in one
 * transaction.
 */
final class BillingReceiver implements AutoCloseable {

  private static final int NO_CONTENT = 204;
  private static final int BAD_REQUEST = 400;
  private static final int NO_BODY = -1;

  private final DSLContext dsl;
  private final Inbox inbox = Inbox.of("billing");
  private final ObjectMapper json = new ObjectMapper();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Consumer<String>> watchers = new CopyOnWriteArrayList<>();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicInteger duplicates = new AtomicInteger();

  private BillingReceiver(DSLContext dsl, HttpServer server) {
    this.dsl = dsl;
    this.server = server;
  }

  /** Listens on a free port of this machine. */
  static BillingReceiver start(DSLContext dsl) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    BillingReceiver receiver = new BillingReceiver(dsl, server);
    server.createContext("/events", receiver::receive);
    server.setExecutor(receiver.threads);
    server.start();
    return receiver;
  }

  /** Where to post. */
  URI endpoint() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://%s:%d/events".formatted(address.getAddress().getHostAddress(), address.getPort()));
  }

  /** Calls {@code watcher} with the sender after each event, committed and not yet answered. */
  void watch(Consumer<String> watcher) {
    watchers.add(watcher);
  }

  /** Events received, the same ones again included. */
  int received() {
    return received.get();
  }

  /** Events that had been applied before. */
  int duplicates() {
    return duplicates.get();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      @Nullable String eventId = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      if (eventId == null) {
        exchange.sendResponseHeaders(BAD_REQUEST, NO_BODY);
        return;
      }
      OrderPlaced order = json.readValue(exchange.getRequestBody(), OrderPlaced.class);
      received.incrementAndGet();
      if (apply(eventId, order) == InboxOutcome.DUPLICATE) {
        duplicates.incrementAndGet();
      }
      String sender = String.valueOf(exchange.getRequestHeaders().getFirst("User-Agent"));
      watchers.forEach(watcher -> watcher.accept(sender));
      exchange.sendResponseHeaders(NO_CONTENT, NO_BODY);
    }
  }

  private InboxOutcome apply(String eventId, OrderPlaced order) {
    return dsl.transactionResult(
        tx -> inbox.applyOnce(tx.dsl(), eventId, own -> invoice(own, order)));
  }

  /** Counts instead of refusing a second time, so that the reconciliation can see one. */
  private static void invoice(DSLContext tx, OrderPlaced order) {
    tx.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
        .values(order.orderId(), order.amount())
        .onConflict(INVOICE.ORDER_ID)
        .doUpdate()
        .set(INVOICE.APPLIED, INVOICE.APPLIED.plus(inline(1)))
        .execute();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

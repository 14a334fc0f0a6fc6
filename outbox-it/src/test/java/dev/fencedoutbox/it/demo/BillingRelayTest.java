package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.relay.SteppedRelay;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BillingRelayTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private volatile int answer = 204;
  private volatile Runnable beforeAnswering = () -> {};
  private HttpServer server;
  private SteppedRelay relay;

  @BeforeEach
  void oneOrderAndAReceiver() throws IOException {
    DB.clear();
    assertThat(new OrderDesk(dsl).place(new OrderPlaced("17", "Ann", new BigDecimal("10.50"))))
        .isEqualTo(EnqueueOutcome.CREATED);
    InetAddress here = InetAddress.getLoopbackAddress();
    server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            posted.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            beforeAnswering.run();
            exchange.sendResponseHeaders(answer, -1);
          }
        });
    server.start();
    URI endpoint =
        URI.create("http://%s:%d/".formatted(here.getHostAddress(), server.getAddress().getPort()));
    relay = BillingRelay.of(DB.pool(), "stepped", Way.HTTP.sender(endpoint)).stepByStep();
  }

  @AfterEach
  void stop() {
    relay.close();
    server.stop(0);
  }

  @Test
  void relay_accepted_isRecorded() {
    assertThat(relay.runUntilEmpty()).isEqualTo(1);

    assertThat(posted).containsExactly("order-17-placed");
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.fetchCount(RECEIPT)).isEqualTo(1);
  }

  @Test
  void relay_serverError_isRetriedUnderTheSameEventId() {
    answer = 503;
    assertThat(relay.runUntilEmpty()).isEqualTo(1);
    assertThat(relay.counters().retried()).isEqualTo(1);
    assertThat(dsl.select(DELIVERY.LAST_ERROR).from(DELIVERY).fetchSingle().value1())
        .contains("answered 503");

    answer = 204;
    await().until(() -> relay.runUntilEmpty() == 1);
    assertThat(posted).containsExactly("order-17-placed", "order-17-placed");
    assertThat(relay.counters().delivered()).isEqualTo(1);
  }

  @Test
  void relay_nobodyListens_isRetried() {
    server.stop(0);

    assertThat(relay.runUntilEmpty()).isEqualTo(1);
    assertThat(relay.counters().retried()).isEqualTo(1);
  }

  @Test
  void relay_leaseRunsOutWhilePosting_isRefused() {
    beforeAnswering =
        () ->
            Fixtures.expireDelivery(
                dsl, dsl.select(DELIVERY.ID).from(DELIVERY).fetchSingle().value1());
    assertThat(relay.claim()).isEqualTo(1);
    relay.deliver();

    assertThat(relay.record()).isTrue();
    assertThat(relay.counters().refused()).isEqualTo(1);
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(1);
    assertThat(dsl.fetchCount(RECEIPT)).isZero();
  }
}

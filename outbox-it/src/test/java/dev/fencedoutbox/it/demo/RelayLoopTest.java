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

class RelayLoopTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private volatile int answer = 204;
  private volatile Runnable beforeAnswering = () -> {};
  private HttpServer server;
  private RelayLoop relay;

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
    relay = new RelayLoop(dsl, "loop", endpoint);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void deliver_accepted_isRecorded() throws InterruptedException {
    assertThat(relay.deliver(relay.claim())).isEqualTo(RelayTally.recorded(1, 0, 0));
    assertThat(posted).containsExactly("order-17-placed");
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.fetchCount(RECEIPT)).isEqualTo(1);
  }

  @Test
  void deliver_serverError_isRetriedUnderTheSameEventId() throws InterruptedException {
    answer = 503;

    assertThat(relay.deliver(relay.claim())).isEqualTo(RelayTally.recorded(0, 1, 0));
    assertThat(dsl.select(DELIVERY.LAST_ERROR).from(DELIVERY).fetchSingle().value1())
        .isEqualTo("HTTP status 503");

    answer = 204;
    await().until(() -> relay.deliver(relay.claim()).delivered() == 1);
    assertThat(posted).containsExactly("order-17-placed", "order-17-placed");
  }

  @Test
  void deliver_nobodyListens_isRetried() throws InterruptedException {
    server.stop(0);

    assertThat(relay.deliver(relay.claim())).isEqualTo(RelayTally.recorded(0, 1, 0));
  }

  @Test
  void deliver_leaseRunsOutWhilePosting_isRefused() throws InterruptedException {
    var batch = relay.claim();
    beforeAnswering = () -> Fixtures.expireDelivery(dsl, batch.get(0).lease().key());

    assertThat(relay.deliver(batch)).isEqualTo(RelayTally.recorded(0, 0, 1));
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(1);
    assertThat(dsl.fetchCount(RECEIPT)).isZero();
  }
}

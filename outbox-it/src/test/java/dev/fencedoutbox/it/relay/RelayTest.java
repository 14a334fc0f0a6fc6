package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.CloseReport;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private RelayBuilder relay() {
    return Relay.from(DB.pool()).on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()));
  }

  @Test
  void badParts_areRefusedWhereTheyAreGiven() {
    RelayBuilder builder = Relay.from(DB.pool());
    assertThatThrownBy(() -> builder.name("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.on(PLAIN, none())).hasMessage("handler");
    assertThatThrownBy(() -> builder.intercept(none())).hasMessage("interceptor");
    assertThatThrownBy(() -> builder.executor(none())).hasMessage("executor");
    assertThatThrownBy(() -> RelayOptions.defaults().withBackoff(none())).hasMessage("backoff");
    assertThatThrownBy(() -> RelayOptions.defaults().withDeadHead(none())).hasMessage("deadHead");
  }

  /** What a host without NullAway might give. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T none() {
    return null;
  }

  @Test
  void relay_deliversEachMessageOnce_andLeavesReceipts() {
    enqueue(
        DB.dsl(), IntStream.range(0, 500).mapToObj(i -> message("m" + i)).toArray(Message[]::new));
    try (Relay relay = relay().start()) {
      await().untilAsserted(() -> assertThat(DB.dsl().fetchCount(RECEIPT)).isEqualTo(500));
      await().until(() -> relay.counters().delivered() == 500);
      assertThat(relay.counters().claimed()).isEqualTo(500);
    }
    assertThat(delivered).hasSize(500).doesNotHaveDuplicates();
    assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
  }

  @Test
  void relay_deliversEachKeyInOrder() {
    enqueue(
        DB.dsl(),
        IntStream.range(0, 300)
            .mapToObj(i -> message("m%03d".formatted(i)).orderingKey("k" + i % 3))
            .toArray(Message[]::new));
    try (Relay relay = relay().start()) {
      await().until(() -> relay.counters().delivered() == 300);
    }
    for (int key = 0; key < 3; key++) {
      int mine = key;
      assertThat(delivered.stream().filter(id -> Integer.parseInt(id.substring(1)) % 3 == mine))
          .hasSize(100)
          .isSorted();
    }
  }

  @Test
  void close_whileAHandlerIsAtWork_waitsForItAndReleasesTheRest() throws Exception {
    enqueue(DB.dsl(), message("one"), message("two"), message("three"));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Relay relay =
        Relay.from(DB.pool())
            .options(
                dev.fencedoutbox.relay.RelayOptions.defaults().withConcurrency(1).withPrefetch(2))
            .on(
                PLAIN,
                (payload, attempt) -> {
                  begun.countDown();
                  goOn.await();
                })
            .start();
    begun.await();
    await().until(() -> relay.counters().claimed() == 3 || relay.counters().waiting() > 0);
    Thread closer = new Thread(goOn::countDown);
    closer.start();
    CloseReport report = relay.close(Duration.ofSeconds(20));
    assertThat(report.isClean()).isTrue();
    assertThat(DB.dsl().fetchCount(DELIVERY, DELIVERY.LEASE_UNTIL.isNotNull())).isZero();
  }
}

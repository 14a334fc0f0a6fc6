package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.it.support.Sources;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool that is small, or held by others for a while. */
class PoolTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(DB.url());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(250); // the shortest that it takes
    return new HikariDataSource(config);
  }

  private static RelayBuilder relay(DataSource pool, Handler<JSONB> handler) {
    return Relay.from(pool)
        .options(
            RelayOptions.defaults()
                .withLeaseFor(Duration.ofMillis(1_500))
                .withConcurrency(4)
                .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300))))
        .on(PLAIN, handler);
  }

  @Test
  void connection_isGivenBackAsItWas_alsoAfterAFailure() throws SQLException {
    rows.add("one");
    try (Connection only = DB.connect()) {
      only.setNetworkTimeout(Runnable::run, 12_345);
      DataSource source = Sources.of(() -> Sources.uncloseable(only));
      try (SteppedRelay relay =
          Relay.from(source).on(PLAIN, (payload, attempt) -> {}).stepByStep()) {
        assertThat(relay.claim()).isEqualTo(1);
        relay.deliver();
        rows.forbidDeletionOf("one");
        assertThat(relay.record()).isFalse();
        assertThat(only.getAutoCommit()).isTrue();
        assertThat(only.getNetworkTimeout()).isEqualTo(12_345);
        rows.allow();
        assertThat(relay.record()).isTrue();
      }
      assertThat(only.getAutoCommit()).isTrue();
      assertThat(only.getNetworkTimeout()).isEqualTo(12_345);
    }
  }

  @Test
  void poolOfOne_suffices_withRenewals() {
    rows.addMany("m", 100);
    Handler<JSONB> handler =
        (payload, attempt) -> {
          delivered.add(attempt.eventId());
          if (attempt.eventId().equals("m0")) {
            OffsetDateTime first = attempt.lease().leaseUntil();
            await()
                .until(() -> Objects.requireNonNull(rows.of("m0").getLeaseUntil()).isAfter(first));
          }
        };
    try (HikariDataSource one = pool(1);
        Relay relay = relay(one, handler).start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> relay.counters().delivered() == 100);
    }
    assertThat(delivered).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void poolThatOthersHold_isWaitedFor_andNothingIsDeliveredTwice() throws Exception {
    try (HikariDataSource three = pool(3)) {
      List<Connection> held = new ArrayList<>();
      rows.add("first");
      Handler<JSONB> handler =
          (payload, attempt) -> {
            if (attempt.eventId().equals("first")) {
              for (int i = 0; i < 3; i++) {
                held.add(holding(three));
              }
            }
            delivered.add(attempt.eventId());
          };
      try (Relay relay =
          relay(three, handler)
              .options(
                  RelayOptions.defaults()
                      .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300))))
              .start()) {
        await().until(() -> held.size() == 3);
        rows.add("second");
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> relay.counters().failedTransactions() >= 3);
        assertThat(delivered).containsExactly("first");
        for (Connection connection : held) {
          connection.close();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> relay.counters().delivered() == 2);
        assertThat(relay.counters().claimed()).isEqualTo(2);
      }
    }
    assertThat(delivered).containsExactly("first", "second");
  }

  @SuppressWarnings("PMD.CloseResource") // the test closes them
  private static Connection holding(DataSource pool) {
    List<Connection> got = new ArrayList<>();
    await()
        .ignoreExceptions()
        .until(
            () -> {
              got.add(pool.getConnection());
              return true;
            });
    return got.get(0);
  }

  @Test
  void handlers_holdNoConnectionOfTheRelays() {
    rows.addMany("m", 8);
    try (HikariDataSource one = pool(1)) {
      Handler<JSONB> usesThePoolItself =
          (payload, attempt) -> {
            try (Connection mine = holding(one)) {
              assertThat(mine.isValid(5)).isTrue();
            }
            delivered.add(attempt.eventId());
          };
      try (Relay relay =
          relay(one, usesThePoolItself)
              .options(RelayOptions.defaults().withConcurrency(4))
              .start()) {
        await().atMost(Duration.ofSeconds(30)).until(() -> relay.counters().delivered() == 8);
      }
    }
    assertThat(delivered).hasSize(8).doesNotHaveDuplicates();
  }
}

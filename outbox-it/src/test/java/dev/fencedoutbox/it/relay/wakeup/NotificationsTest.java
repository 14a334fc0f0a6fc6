package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.Sources;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.notify.Notifications;
import dev.fencedoutbox.notify.Notifier;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.Wakeup;
import dev.fencedoutbox.relay.WakeupSource.Listening;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotificationsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Channel A = Channel.of("a");
  private static final Channel B = Channel.of("b: Bücher");

  private final Queue<String> woken = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static DataSource direct() {
    return TestDatabase.dataSource(DB.url());
  }

  private static HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(DB.url());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private static Notifications proven(DataSource dataSource) {
    Notifications notifications = Notifications.start(dataSource);
    await().until(notifications::isProven);
    return notifications;
  }

  private Listening listen(Notifications notifications, Channel channel) {
    return notifications.listen(channel, () -> woken.add(channel.name()));
  }

  private static void notify(Channel channel) {
    DB.dsl().fetch("select pg_notify('fenced_outbox', ?)", channel.name());
  }

  /** The server processes that have said LISTEN last. */
  private static List<Integer> listening() {
    return DB.dsl()
        .fetch(
            "select pid from pg_stat_activity where datname = current_database()"
                + " and query like 'LISTEN%'")
        .getValues(0, Integer.class);
  }

  private static void terminateListening() {
    assertThat(listening())
        .hasSize(1)
        .allSatisfy(pid -> DB.dsl().fetch("select pg_terminate_backend(?)", pid));
  }

  @Test
  void commitInAnotherProcess_deliversWithoutWaitingForAPoll() {
    try (Notifications here = proven(DB.pool());
        SlowPoller relay = SlowPoller.waiting(DB, B, here);
        Notifier there = Notifier.start(direct())) {
      Wakeup wakeup = new Wakeup().telling(there);
      DSLContext elsewhere =
          DSL.using(direct(), SQLDialect.POSTGRES).configuration().derive(wakeup).dsl();
      Outbox outbox = Outbox.create().telling(wakeup);
      EnqueueOutcome outcome =
          elsewhere.transactionResult(tx -> outbox.enqueue(tx.dsl(), message("m").channels(B)));
      assertThat(outcome).isEqualTo(EnqueueOutcome.CREATED);
      await().until(() -> relay.delivered().contains("m"));
    }
  }

  @Test
  void notification_wakesThoseOfItsChannel_untilTheyStopListening() {
    try (Notifications notifications = proven(direct())) {
      Listening a = listen(notifications, A);
      Listening unused = listen(notifications, B);
      notify(A);
      notify(B);
      await().until(() -> woken.size() == 2);
      assertThat(woken).containsExactly(A.name(), B.name());
      a.close();
      notify(A);
      notify(B);
      await().until(() -> notifications.counters().received() == 4);
      assertThat(woken).containsExactly(A.name(), B.name(), B.name());
    }
  }

  /** Case 31. */
  @Test
  void listeningBackendTerminated_deliversByPolling_andListensAgainWithoutSpinning() {
    try (Notifications notifications = proven(direct());
        Relay relay =
            Relay.from(DB.pool())
                .on(PLAIN, (payload, attempt) -> {})
                .wakenBy(notifications)
                .start();
        Listening unused = listen(notifications, A)) {
      terminateListening();
      enqueue(DB.dsl(), message("m"));
      await().until(() -> relay.counters().delivered() == 1);
      await().until(() -> notifications.counters().connected() == 2);
      await().until(notifications::isProven);
      assertThat(woken).as("once, for what was missed").containsExactly(A.name());
      assertThat(notifications.counters().failures()).isEqualTo(1);
      notify(A);
      await().until(() -> woken.size() == 2);
      assertThat(notifications.counters().connected()).isEqualTo(2);
    }
  }

  @Test
  void serverThatCannotBeReached_isTriedAgainAtGrowingIntervals() {
    Queue<Long> triedNanos = new ConcurrentLinkedQueue<>();
    DataSource direct = direct();
    DataSource late =
        Sources.of(
            () -> {
              triedNanos.add(System.nanoTime());
              if (triedNanos.size() < 4) {
                throw new SQLException("no server yet", "08001");
              }
              return direct.getConnection();
            });
    try (LogLines log = LogLines.of(Notifications.class.getName(), Level.WARN);
        Notifications notifications = proven(late)) {
      List<Long> tried = List.copyOf(triedNanos);
      for (int i = 0; i < 3; i++) {
        assertThat(Duration.ofNanos(tried.get(i + 1) - tried.get(i)))
            .isGreaterThanOrEqualTo(Duration.ofMillis(150L << i));
      }
      assertThat(notifications.counters().failures()).isEqualTo(3);
      assertThat(log.messages())
          .hasSize(3)
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains("SQLSTATE 08001", "no server yet", "Relays go on by polling"));
    }
  }

  /** Its failure comes past the pool, which would otherwise hand it out again. */
  @Test
  void listeningBackendTerminated_isNotHandedOutAgainByThePool() throws SQLException {
    try (HikariDataSource pool = pool(2);
        Notifications notifications = proven(pool)) {
      terminateListening();
      await().until(() -> notifications.counters().failures() == 1);
      try (Connection one = pool.getConnection();
          Connection two = pool.getConnection()) {
        assertThat(TestDatabase.on(one).fetchValue("select 1")).isEqualTo(1);
        assertThat(TestDatabase.on(two).fetchValue("select 1")).isEqualTo(1);
      }
    }
  }

  @Test
  void transactionPooler_isToldOf_once() throws SQLException {
    Queue<Connection> given = new ConcurrentLinkedQueue<>();
    DataSource direct = direct();
    DataSource server =
        Sources.of(
            () -> {
              Connection connection = direct.getConnection();
              given.add(connection);
              return connection;
            });
    try (LogLines log = LogLines.of(Notifications.class.getName(), Level.WARN);
        Notifications first = Notifications.start(Sources.transactionPooler(server))) {
      await().until(() -> unworkable(log) == 1);
      assertThat(log.messages().get(0)).contains("a pooler in transaction mode", "polling");
      assertThat(first.isProven()).isFalse();
      given.element().close();
      await().until(() -> first.counters().connected() == 2);
      try (Notifications later = Notifications.start(Sources.transactionPooler(direct))) {
        await()
            .until(() -> unworkable(log) >= 2); // by then the first one's second probe is overdue
        assertThat(later.isProven()).isFalse();
        assertThat(unworkable(log)).isEqualTo(2);
      }
    }
  }

  private static long unworkable(LogLines log) {
    return log.messages().stream().filter(line -> line.contains("LISTEN does not work")).count();
  }

  @Test
  void close_returnsTheConnection_whichListensNoMore() throws SQLException {
    try (HikariDataSource pool = pool(2)) {
      Notifications notifications = proven(pool);
      long begunNanos = System.nanoTime();
      notifications.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
          .isLessThan(Duration.ofMillis(1_900));
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
      try (Connection one = pool.getConnection();
          Connection two = pool.getConnection()) {
        for (Connection connection : List.of(one, two)) {
          assertThat(
                  TestDatabase.on(connection)
                      .fetchValue("select count(*) from pg_listening_channels()"))
              .isEqualTo(0L);
        }
      }
    }
  }

  @Test
  void close_whileTheServerCannotBeReached_returnsInTime() {
    DataSource none =
        Sources.of(
            () -> {
              throw new SQLException("no server", "08001");
            });
    Notifications notifications = Notifications.start(none);
    await().until(() -> notifications.counters().failures() >= 3);
    long begunNanos = System.nanoTime();
    notifications.close();
    assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofMillis(500));
  }
}

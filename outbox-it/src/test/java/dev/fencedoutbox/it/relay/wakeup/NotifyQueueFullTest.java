package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.app.ShopDatabase;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.notify.Notifier;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Wakeup;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Case 39, on a server of its own whose queue is as small as it can be: half a megabyte. */
class NotifyQueueFullTest {

  private static final Channel A = Channel.of("a");

  @Test
  void fullNotifyQueue_failsNotificationsOnly_untilItIsRead() throws Exception {
    assumeThat(System.getProperty("postgres", "embedded")).isIn("embedded", "");
    try (EmbeddedPostgres server = start();
        Connection listener = server.getPostgresDatabase().getConnection();
        Notifier notifier = Notifier.start(server.getPostgresDatabase(), Duration.ofMillis(1))) {
      DataSource database = server.getPostgresDatabase();
      ShopDatabase.migrate(database);
      fill(database, listener);

      Wakeup wakeup = new Wakeup().telling(notifier);
      Outbox outbox = Outbox.create().telling(wakeup);
      DSLContext dsl =
          DSL.using(database, SQLDialect.POSTGRES).configuration().derive(wakeup).dsl();
      EnqueueOutcome outcome =
          dsl.transactionResult(tx -> outbox.enqueue(tx.dsl(), message("m").channels(A)));
      assertThat(outcome).isEqualTo(EnqueueOutcome.CREATED);
      await().until(() -> notifier.counters().failed() == 1);
      assertThat(notifier.counters().sent()).isZero();

      listener
          .rollback(); // now it reads, and the next who asks for the usage has the queue trimmed
      await().until(() -> usage(dsl) < 0.5);
      wakeup.committed(A);
      await().until(() -> notifier.counters().sent() == 1);
    }
  }

  private static double usage(DSLContext dsl) {
    return dsl.fetchSingle("select pg_notification_queue_usage()").get(0, Double.class);
  }

  private static EmbeddedPostgres start() throws IOException {
    return EmbeddedPostgres.builder()
        .setServerConfig("fsync", "off")
        .setServerConfig("max_notify_queue_pages", "64")
        .start();
  }

  /** Somebody who listens and is inside a transaction reads nothing, so everything is kept. */
  private static void fill(DataSource database, Connection listener) throws SQLException {
    listener.setAutoCommit(false);
    TestDatabase.on(listener).execute("listen anything");
    listener.commit();
    TestDatabase.on(listener).execute("select 1");
    DSLContext dsl = DSL.using(database, SQLDialect.POSTGRES);
    notifyUntilFull(dsl, 7_000);
    notifyUntilFull(dsl, 1); // what is left of the last page
  }

  private static void notifyUntilFull(DSLContext dsl, int length) {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                dsl.fetch("select pg_notify('anything', repeat('x', ?))", length);
              }
            })
        .hasStackTraceContaining("too many notifications in the NOTIFY queue");
  }
}

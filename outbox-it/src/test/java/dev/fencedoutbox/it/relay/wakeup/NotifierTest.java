package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.Sources;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.notify.Notifications;
import dev.fencedoutbox.notify.Notifier;
import dev.fencedoutbox.notify.NotifierCounters;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.Wakeup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotifierTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Channel A = Channel.of("a");
  private static final Channel B = Channel.of("b");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static void commit(Notifier notifier, String eventId, Channel channel) {
    Wakeup wakeup = new Wakeup().telling(notifier);
    Outbox outbox = Outbox.create().telling(wakeup);
    DSLContext dsl = DB.dsl().configuration().derive(wakeup).dsl();
    EnqueueOutcome outcome =
        dsl.transactionResult(tx -> outbox.enqueue(tx.dsl(), message(eventId).channels(channel)));
    assertThat(outcome).isEqualTo(EnqueueOutcome.CREATED);
  }

  @Test
  void manyCommits_sendOneNotificationAnInterval_ofEachChannel() {
    try (Notifications notifications = Notifications.start(DB.pool());
        Notifier notifier = Notifier.start(DB.pool(), Duration.ofMinutes(1))) {
      await().until(notifications::isProven);
      commit(notifier, "first", A);
      await().until(() -> notifier.counters().sent() == 1);
      for (int i = 0; i < 100; i++) {
        notifier.committed(Set.of(A));
      }
      notifier.committed(Set.of(B));
      await().until(() -> notifications.counters().received() == 2);
      assertThat(notifier.counters()).isEqualTo(new NotifierCounters(102, 2, 0));
    }
  }

  /** The last commit of a burst is told as well, when the interval is over. */
  @Test
  void commitWithinTheInterval_isSentAtItsEnd() {
    Duration interval = Duration.ofMillis(300);
    try (Notifier notifier = Notifier.start(DB.pool(), interval)) {
      long begunNanos = System.nanoTime();
      notifier.committed(Set.of(A));
      await().until(() -> notifier.counters().sent() == 1);
      notifier.committed(Set.of(A));
      notifier.committed(Set.of(A));
      await().until(() -> notifier.counters().sent() == 2);
      assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isGreaterThanOrEqualTo(interval);
    }
  }

  /** Case 39; the queue is filled for real in NotifyQueueFullTest. */
  @Test
  void notificationThatFails_isToldAndCounted_andTheBusinessGoesOn() {
    AtomicInteger borrowed = new AtomicInteger();
    DataSource full =
        Sources.of(
            () -> {
              borrowed.incrementAndGet();
              throw new SQLException("too many notifications in the NOTIFY queue", "54000");
            });
    try (LogLines log = LogLines.of(Notifier.class.getName(), Level.WARN);
        Notifier notifier = Notifier.start(full, Duration.ofMillis(1));
        Relay relay =
            Relay.from(DB.pool()).channel(A).on(PLAIN, (payload, attempt) -> {}).start()) {
      commit(notifier, "m1", A);
      await().until(() -> notifier.counters().failed() == 1);
      for (int i = 0; i < 100; i++) {
        notifier.committed(Set.of(A));
      }
      commit(notifier, "m2", A);
      await().until(() -> notifier.counters().failed() == 2);
      await().until(() -> relay.counters().delivered() == 2);
      assertThat(borrowed.get()).as("it does not hurry").isLessThanOrEqualTo(3);
      assertThat(log.messages().get(0))
          .contains("Could not notify of [a] (SQLSTATE 54000)", "Nothing is lost");
    }
  }

  /** The business transaction's own connection says nothing, and its commit takes no such lock. */
  @Test
  void notification_isSentOnAConnectionOfItsOwn() {
    AtomicInteger borrowed = new AtomicInteger();
    DataSource own =
        Sources.of(
            () -> {
              assertThat(DB.dsl().fetchCount(MESSAGE)).as("committed").isEqualTo(1);
              borrowed.incrementAndGet();
              return DB.pool().getConnection();
            });
    try (Notifications notifications = Notifications.start(DB.pool());
        Notifier notifier = Notifier.start(own)) {
      await().until(notifications::isProven);
      commit(notifier, "m", A);
      await().until(() -> notifications.counters().received() == 1);
      assertThat(borrowed.get()).isEqualTo(1);
    }
  }

  @Test
  void connectionWithoutAutoCommit_isCommitted_andGivenBackAsItWas() throws SQLException {
    try (Connection manual = DB.connect();
        Notifications notifications = Notifications.start(DB.pool());
        Notifier notifier = Notifier.start(Sources.of(() -> Sources.uncloseable(manual)))) {
      manual.setAutoCommit(false);
      await().until(notifications::isProven);
      notifier.committed(Set.of(A));
      await().until(() -> notifications.counters().received() == 1);
      await().until(() -> notifier.counters().sent() == 1);
      assertThat(manual.getAutoCommit()).isFalse();
    }
  }
}

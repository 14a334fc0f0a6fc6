package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.junit.jupiter.api.Test;

/** What a relay costs that has nothing to do. */
class IdleCostTest {

  private static final TestDatabase DB = TestDatabase.create();

  /** When each statement was sent. */
  private static final class Watcher implements ExecuteListener {

    private static final long serialVersionUID = 1L;

    private final transient List<Long> sentNanos = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void executeStart(ExecuteContext ctx) {
      sentNanos.add(System.nanoTime());
    }
  }

  /** The server gives a number to each transaction that writes or locks, and asks for one now. */
  private static long nextTransaction() {
    return DB.dsl().fetchSingle("select pg_current_xact_id()::text::bigint").into(Long.class);
  }

  /**
   * From the first poll on as one that has been idle for long: the pause has reached its length.
   */
  @Test
  void idleRelay_sendsAtTheMostOneStatementASecond_andWritesNothing() {
    Watcher watcher = new Watcher();
    long before = nextTransaction();
    Pacing pacing = Pacing.defaults();
    try (Relay relay =
        Relay.from(DB.pool())
            .options(
                RelayOptions.defaults().withPacing(pacing.withShortestPoll(pacing.sweepEvery())))
            .jooq(
                new DefaultConfiguration()
                    .set(SQLDialect.POSTGRES)
                    .set(new DefaultExecuteListenerProvider(watcher)))
            .on(PLAIN, (payload, attempt) -> {})
            .start()) {
      await().atMost(Duration.ofMinutes(1)).until(() -> claimsOf(watcher) >= 3);
      assertThat(relay.counters().claimed()).isZero();
    }
    List<Long> sent = List.copyOf(watcher.sentNanos);
    int first = sent.size() % 2; // one asked for the tables before
    Duration elapsed = Duration.ofNanos(sent.get(first + 4) - sent.get(first));
    assertThat(elapsed)
        .as("of two polls, two statements each")
        .isGreaterThan(Duration.ofSeconds(4));
    assertThat(nextTransaction() - before)
        .as("transactions that wrote, a vacuum by the server among them perhaps")
        .isLessThan(sent.size());
  }

  private static int claimsOf(Watcher watcher) {
    return watcher.sentNanos.size() / 2;
  }

  @Test
  void pollingAlone_deliversWhatIsEnqueuedMeanwhile() {
    try (Relay relay = Relay.from(DB.pool()).on(PLAIN, (payload, attempt) -> {}).start()) {
      for (int i = 0; i < 3; i++) {
        Fixtures.enqueue(DB.dsl(), Fixtures.message("m" + i));
        int soFar = i + 1;
        await().until(() -> relay.counters().delivered() == soFar);
      }
    }
  }
}

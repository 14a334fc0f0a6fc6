package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.WakeupSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;

/** A relay that polls every minute, so what it delivers before, it was woken for. */
final class SlowPoller implements AutoCloseable {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Statements statements = new Statements();
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final Relay relay;

  private SlowPoller(TestDatabase database, Channel channel, WakeupSource source) {
    Pacing rare = Pacing.defaults().withSweepEvery(MINUTE).withShortestPoll(MINUTE);
    relay =
        Relay.from(database.pool())
            .channel(channel)
            .options(RelayOptions.defaults().withPacing(rare))
            .jooq(
                statements
                    .listeningOn(new DefaultConfiguration().set(SQLDialect.POSTGRES).dsl())
                    .configuration())
            .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
            .wakenBy(source)
            .start();
  }

  /** One that has looked and found nothing, and now waits for its next poll. */
  static SlowPoller waiting(TestDatabase database, Channel channel, WakeupSource source) {
    SlowPoller poller = new SlowPoller(database, channel, source);
    poller.awaitClaims(1);
    return poller;
  }

  /**
   * Waits for its nth claim, which looks at deliveries without a key and then at those with one.
   */
  void awaitClaims(int claims) {
    await().until(() -> claims() >= claims);
  }

  int claims() {
    return (int) statements.executed().stream().filter(sql -> sql.contains("recursive")).count();
  }

  Queue<String> delivered() {
    return delivered;
  }

  @Override
  public void close() {
    relay.close();
  }
}

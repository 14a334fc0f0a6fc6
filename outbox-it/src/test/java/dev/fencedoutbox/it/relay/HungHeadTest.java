package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A handler that neither returns nor hears that it is interrupted. */
class HungHeadTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private final List<String> delivered = new CopyOnWriteArrayList<>();

  @Test
  void handlerThatNeverReturns_doesNotKeepTheRestOfItsKeyFromOtherRelays() throws Exception {
    enqueue(
        DB.dsl(),
        message("e1").orderingKey("k"),
        message("e2").orderingKey("k"),
        message("e3").orderingKey("k"));
    RelayOptions options =
        RelayOptions.defaults()
            .withConcurrency(1)
            .withPrefetch(2)
            .withRunLength(2)
            .withLeaseFor(Duration.ofSeconds(1))
            .withAttemptBudget(1_000) // both relays try
            .withBackoff(Backoff.fixed(Duration.ofMillis(100)))
            .withPacing(
                Pacing.defaults()
                    .withLongestHandling(Duration.ofMillis(200))
                    .withSweepEvery(Duration.ofMillis(200)));
    Relay hung =
        Relay.from(DB.pool())
            .options(options.withPrefetch(1))
            .on(PLAIN, (payload, attempt) -> hang())
            .start();
    begun.await();
    try (Relay other =
        Relay.from(DB.pool())
            .options(options)
            .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
            .start()) {
      await().untilAsserted(() -> assertThat(delivered).containsSubsequence("e1", "e2", "e3"));
    } finally {
      end.complete(true);
      hung.close();
    }
  }

  /** Unlike other waits, this one does not hear an interrupt. */
  private void hang() {
    begun.countDown();
    end.join();
  }
}

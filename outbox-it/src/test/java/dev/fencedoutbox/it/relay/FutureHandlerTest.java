package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Case 21: a producer answers by a future. The handler waits for it, so that to return is to have
 * delivered; how many wait at once is what {@code concurrency} says.
 */
class FutureHandlerTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);

  @Test
  void future_thatFailsAfterTheSendReturned_isAFailedAttempt_withItsError() throws Exception {
    rows.add("good", "bad");
    CompletableFuture<Void> bad = new CompletableFuture<>();
    CountDownLatch sent = new CountDownLatch(1);
    try (Relay relay =
        Relay.from(DB.pool())
            .options(RelayOptions.defaults().withBackoff(Backoff.fixed(Duration.ofHours(1))))
            .on(
                PLAIN,
                (payload, attempt) -> {
                  CompletableFuture<Void> answer =
                      attempt.eventId().equals("bad")
                          ? bad
                          : CompletableFuture.completedFuture(null);
                  sent.countDown();
                  answer.get(60, TimeUnit.SECONDS);
                })
            .start()) {
      sent.await();
      await().until(() -> relay.counters().delivered() == 1);
      assertThat(rows.standing("bad")).isEqualTo("INPROGRESS 1");
      bad.completeExceptionally(new IllegalStateException("the broker said no"));
      await().until(() -> relay.counters().retried() == 1);
    }
    assertThat(rows.delivered()).containsExactly("good");
    assertThat(rows.standing("bad")).isEqualTo("READY 1");
    assertThat(rows.of("bad").getLastError()).contains("the broker said no");
  }
}

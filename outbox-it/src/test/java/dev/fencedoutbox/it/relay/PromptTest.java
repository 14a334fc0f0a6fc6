package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.Wakeup;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a delivery does not wait for. */
class PromptTest {

  private static final TestDatabase DB = TestDatabase.create();

  /** Longer than any test waits. */
  private static final Pacing SLOW =
      Pacing.defaults()
          .withSweepEvery(Duration.ofMinutes(10))
          .withShortestPoll(Duration.ofMinutes(1));

  private static final int LOOKS = 5;

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void nextRunOfAKey_isClaimedWhenTheOneBeforeIsRecorded() {
    for (int i = 0; i < 7; i++) {
      enqueue(DB.dsl(), message("m" + i).orderingKey("hot"));
    }
    RelayOptions options = RelayOptions.defaults().withRunLength(2).withPacing(SLOW);
    try (Relay relay =
        Relay.from(DB.pool()).options(options).on(PLAIN, (payload, attempt) -> {}).start()) {
      await().until(() -> relay.counters().delivered() == 7);
    }
  }

  /** The record waits for the rest of a run, but only for a moment. */
  @Test
  void headOfAKey_isRecordedWhileTheNextIsWithItsHandler() {
    CountDownLatch recorded = new CountDownLatch(1);
    AtomicBoolean inTime = new AtomicBoolean();
    enqueue(DB.dsl(), message("head").orderingKey("hot"));
    enqueue(DB.dsl(), message("next").orderingKey("hot"));
    try (Relay relay =
        Relay.from(DB.pool())
            .on(
                PLAIN,
                (payload, attempt) -> {
                  if (attempt.eventId().equals("next")) {
                    inTime.set(isOpenSoon(recorded));
                  }
                })
            .start()) {
      await().until(() -> relay.counters().delivered() == 1);
      recorded.countDown();
      await().until(() -> relay.counters().delivered() == 2);
    }
    assertThat(inTime).isTrue();
  }

  /** It is with its handler before the ordering keys are looked at. */
  @Test
  void deliveryThatIsClaimed_doesNotWaitForTheClaimOfTheOtherKind() {
    CountDownLatch handled = new CountDownLatch(1);
    AtomicBoolean inTime = new AtomicBoolean();
    ExecuteListener holdingUpTheSecond =
        ExecuteListener.onExecuteStart(
            context -> {
              if (String.valueOf(context.sql()).contains("key_heads")) {
                inTime.compareAndSet(false, isOpenSoon(handled));
              }
            });
    enqueue(DB.dsl(), message("free"));
    try (Relay relay =
        Relay.from(DB.pool())
            .options(RelayOptions.defaults().withPacing(SLOW))
            .jooq(new DefaultConfiguration().set(SQLDialect.POSTGRES).set(holdingUpTheSecond))
            .on(PLAIN, (payload, attempt) -> handled.countDown())
            .start()) {
      await().until(() -> relay.counters().delivered() == 1);
      await().untilTrue(inTime);
    }
    assertThat(inTime).isTrue();
  }

  /** Otherwise it would be claimed and given back as fast as the database can. */
  @Test
  void handlerThatAlwaysGivesBack_isAskedAgainOnlyWhenTheRelayLooks() {
    AtomicInteger asked = new AtomicInteger();
    Wakeup wakeup = new Wakeup();
    enqueue(DB.dsl(), message("m").orderingKey("hot"));
    try (Relay relay =
        Relay.from(DB.pool())
            .options(RelayOptions.defaults().withPacing(SLOW))
            .wakenBy(wakeup)
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  if (attempt.eventId().startsWith("free")) {
                    return DeliveryOutcome.delivered();
                  }
                  asked.incrementAndGet();
                  return DeliveryOutcome.release("not now");
                })
            .start()) {
      await().until(() -> relay.counters().released() > 0);
      for (int i = 1; i <= LOOKS; i++) {
        int delivered = i;
        enqueue(DB.dsl(), message("free " + i));
        wakeup.committed(Channel.DEFAULT);
        await().until(() -> relay.counters().delivered() == delivered);
      }
    }
    assertThat(asked).hasValueLessThan(5 * LOOKS);
  }

  private static boolean isOpenSoon(CountDownLatch latch) {
    try {
      return latch.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

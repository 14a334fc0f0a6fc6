package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.CloseReport;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;

/** Case 25: relays go from one to three and back during slow handlers over 50 keys. */
class RebalanceTest {

  private static final int KEYS = 50;
  private static final int MESSAGES = 1_000;

  private static final TestDatabase DB = TestDatabase.create();

  private final Map<String, AtomicInteger> atWork = new ConcurrentHashMap<>();
  private final Map<String, List<Integer>> handled = new ConcurrentHashMap<>();
  private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  private final Handler<JSONB> handler =
      (payload, attempt) -> {
        String key = Objects.requireNonNull(attempt.delivery().orderingKey());
        AtomicInteger mine = atWork.computeIfAbsent(key, k -> new AtomicInteger());
        if (mine.incrementAndGet() > 1) {
          overlaps.add(attempt.toString());
        }
        DB.dsl().execute("select pg_sleep(0.004)"); // slow, as a call to somebody else is
        handled
            .computeIfAbsent(key, k -> new CopyOnWriteArrayList<>())
            .add(Integer.valueOf(attempt.eventId()));
        mine.decrementAndGet();
        count.incrementAndGet();
      };

  private Relay another() {
    return Relay.from(DB.pool())
        .options(RelayOptions.defaults().withConcurrency(3).withPrefetch(20).withRunLength(4))
        .on(PLAIN, handler)
        .start();
  }

  @Test
  void keys_areWorkedThroughInOrderByOneAtATime_whileRelaysComeAndGo() {
    enqueue(
        DB.dsl(),
        IntStream.range(0, MESSAGES)
            .mapToObj(i -> message(String.valueOf(i)).orderingKey("k" + i % KEYS))
            .toArray(Message[]::new));
    List<CloseReport> reports = new ArrayList<>();
    try (Relay first = another()) {
      awaitHandled(MESSAGES / 5);
      Relay second = another();
      Relay third = another();
      awaitHandled(MESSAGES / 2);
      reports.add(first.close(Duration.ofSeconds(20)));
      awaitHandled(MESSAGES * 7 / 10);
      reports.add(third.close(Duration.ofSeconds(20)));
      awaitHandled(MESSAGES);
      await().until(() -> second.counters().recording() == 0);
      reports.add(second.close(Duration.ofSeconds(20)));
    }
    assertThat(reports).hasSize(3).allMatch(CloseReport::isClean);
    assertThat(overlaps).isEmpty();
    assertThat(handled).hasSize(KEYS);
    assertThat(handled.values())
        .allSatisfy(ids -> assertThat(ids).hasSize(MESSAGES / KEYS).isSorted());
    assertThat(new Rows(DB).left()).isEmpty();
  }

  private void awaitHandled(int number) {
    await().atMost(Duration.ofSeconds(60)).until(() -> count.get() >= number);
  }
}

package dev.fencedoutbox.it.order;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** Four workers that fail, die and lose their leases at random keep the order of every key. */
class OrderUnderFaultsTest {

  private static final int MESSAGES = 1_000;
  private static final int KEYS = 7;
  private static final int WORKERS = 4;

  private static final TestDatabase DB = TestDatabase.create();
  private static final OrderedTable<Long, Delivery> ORDERED =
      Outbox.create().orderedDeliveries(Channel.DEFAULT);

  private final long seed = System.nanoTime();
  private final Map<String, List<Long>> completed = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
  private final AtomicInteger overlaps = new AtomicInteger();

  @Test
  void everyKey_isWorkedThroughInOrderByOneWorkerAtATime() throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < MESSAGES; i++) {
      enqueue(DB.dsl(), message("e" + i).orderingKey("k" + random.nextInt(KEYS)));
    }
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    List<Future<?>> runs =
        random
            .longs(WORKERS)
            .<Future<?>>mapToObj(worker -> workers.submit(() -> work(new Random(worker))))
            .toList();
    for (Future<?> run : runs) {
      run.get();
    }
    workers.shutdown();
    assertThat(overlaps).as("seed %d", seed).hasValue(0);
    assertThat(completed.values())
        .as("seed %d", seed)
        .allSatisfy(ids -> assertThat(ids).isSorted());
    assertThat(completed.values().stream().mapToInt(List::size).sum()).isEqualTo(MESSAGES);
    assertThat(DB.dsl().fetchCount(RECEIPT)).isEqualTo(MESSAGES);
  }

  private void work(Random random) {
    Leases leases = Leases.ownedBy("worker");
    KeyWalk walk = KeyWalk.of(20).withRunLength(5);
    while (DB.dsl().fetchExists(DELIVERY)) {
      OrderedClaims<Long, Delivery> ordered =
          leases.claimInOrder(DB.dsl(), ORDERED, LONG.withAttemptBudget(1_000), walk);
      walk = ordered.next();
      Set<String> stopped = new HashSet<>();
      for (Claimed<Long, Delivery> claim : ordered.claims().claimed()) {
        one(leases, claim, stopped, random);
      }
    }
  }

  private void one(
      Leases leases, Claimed<Long, Delivery> claim, Set<String> stopped, Random random) {
    String key = Objects.requireNonNull(claim.row().orderingKey());
    if (stopped.contains(key)) {
      release(leases, claim);
      return;
    }
    AtomicInteger ofKey = running.computeIfAbsent(key, k -> new AtomicInteger());
    if (ofKey.incrementAndGet() > 1) {
      overlaps.incrementAndGet();
    }
    switch (random.nextInt(20)) {
      case 0 -> {
        stopped.add(key);
        ofKey.decrementAndGet();
        assertAccepted(leases.retry(DB.dsl(), claim.lease(), Duration.ofMillis(1), "failed"));
      }
      case 1 -> {
        stopped.add(key);
        ofKey.decrementAndGet();
        expireDelivery(DB.dsl(), claim.lease().key()); // died: another may claim it from here on
      }
      default ->
          DB.dsl()
              .transaction(
                  tx -> {
                    assertAccepted(complete(leases, tx.dsl(), claim));
                    completed
                        .computeIfAbsent(key, k -> new CopyOnWriteArrayList<>())
                        .add(claim.lease().key());
                    ofKey.decrementAndGet();
                  });
    }
  }

  private static LeaseOutcome complete(
      Leases leases, DSLContext tx, Claimed<Long, Delivery> claim) {
    return leases.complete(tx, claim.lease());
  }

  private static void release(Leases leases, Claimed<Long, Delivery> claim) {
    assertAccepted(leases.release(DB.dsl(), claim.lease()));
  }

  private static void assertAccepted(LeaseOutcome outcome) {
    assertThat(outcome).isEqualTo(LeaseOutcome.ACCEPTED);
  }
}

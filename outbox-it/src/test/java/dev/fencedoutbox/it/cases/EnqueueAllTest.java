package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.Converter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnqueueAllTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Outbox OUTBOX = Outbox.create();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Case 15, batched: the same events in opposite orders
  @Test
  void enqueueAll_ofTheSameEventsInOppositeOrdersAtOnce_createsEachOnceAndNeverDeadlocks() {
    AtomicInteger thread = new AtomicInteger();
    List<Integer> created =
        Together.run(
            4,
            () -> {
              int number = thread.getAndIncrement();
              int mine = 0;
              for (int round = 0; round < 25; round++) {
                String prefix = round + "-";
                List<Message> messages =
                    new ArrayList<>(
                        IntStream.range(0, 200).mapToObj(i -> message(prefix + i)).toList());
                if (number % 2 == 0) {
                  Collections.reverse(messages);
                }
                mine +=
                    Collections.frequency(
                        DB.dsl().transactionResult(tx -> OUTBOX.enqueueAll(tx.dsl(), messages)),
                        EnqueueOutcome.CREATED);
              }
              return mine;
            });

    assertThat(created.stream().mapToInt(Integer::intValue).sum()).isEqualTo(25 * 200);
    assertThat(DB.dsl().fetch("select from outbox.message")).hasSize(25 * 200);
  }

  // Case 19: alone an empty payload is stored
  @Test
  void enqueueAll_withAnEmptyPayloadOfBytes_storesIt() {
    Topic<byte[]> topic =
        Topic.bytes(
            "bytes",
            "application/octet-stream",
            Converter.of(byte[].class, byte[].class, bytes -> bytes, bytes -> bytes));
    Fixtures.enqueue(
        DB.dsl(),
        topic.message(new byte[0]).eventId("a"),
        topic.message(new byte[] {1}).eventId("b"));

    assertThat(
            DB.dsl()
                .fetch("select payload_bytes from outbox.message order by event_id")
                .map(row -> row.get(0, byte[].class)))
        .containsExactly(new byte[0], new byte[] {1});
  }

  @Test
  void enqueue_withADelay_isNotClaimableBeforeItIsOver() {
    Fixtures.enqueue(DB.dsl(), message("later").after(Duration.ofHours(1)));

    assertThat(claimed()).isEmpty();
    anHourPasses();
    assertThat(claimed()).containsExactly("later");
  }

  @Test
  void enqueueAll_withDelays_waitsForEachByItself() {
    Fixtures.enqueue(
        DB.dsl(),
        message("last").after(Duration.ofHours(2)),
        message("now"),
        message("later").after(Duration.ofHours(1)));

    assertThat(claimed()).containsExactly("now");
    anHourPasses();
    assertThat(claimed()).containsExactly("later");
    anHourPasses();
    assertThat(claimed()).containsExactly("last");
  }

  private static List<String> claimed() {
    return Leases.ownedBy("owner")
        .claim(DB.dsl(), OUTBOX.deliveries(Channel.DEFAULT), Fixtures.LONG, 10)
        .claimed()
        .stream()
        .map(claim -> claim.row().eventId())
        .toList();
  }

  /** For due times alone; the leases go on. */
  private static void anHourPasses() {
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.delivery set next_attempt_at = next_attempt_at - interval '1 hour'"))
        .isPositive();
  }
}

package dev.fencedoutbox.it.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case 23: the oldest row cannot be read by its handler; ten good ones follow. */
class UnreadableRowTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Topic<Integer> NUMBERS =
      Topic.json(
          "numbers",
          Converter.of(
              JSONB.class,
              Integer.class,
              json -> Integer.valueOf(json.data()),
              number -> JSONB.valueOf(String.valueOf(number))));
  private static final Topic<JSONB> SAME_TOPIC =
      Topic.json("numbers", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));

  private final Rows rows = new Rows(DB);
  private final List<Integer> read = new ArrayList<>();

  @BeforeEach
  void oneBadThenTenGood() {
    DB.clear();
    Fixtures.enqueue(DB.dsl(), SAME_TOPIC.message(JSONB.valueOf("\"seven\"")).eventId("bad"));
    for (int i = 0; i < 10; i++) {
      Fixtures.enqueue(DB.dsl(), NUMBERS.message(i).eventId("good" + i));
    }
  }

  private static RelayBuilder relay() {
    return Relay.from(DB.pool())
        .options(
            RelayOptions.defaults().withAttemptBudget(3).withBackoff(Backoff.fixed(Duration.ZERO)));
  }

  private void assertOnlyTheBadOneIsDead(RelayBuilder builder) {
    try (SteppedRelay relay = builder.stepByStep()) {
      relay.runUntilEmpty();
      assertThat(relay.counters().delivered()).isEqualTo(10);
    }
    assertThat(read).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(rows.left()).containsExactly("bad");
    assertThat(rows.standing("bad")).isEqualTo("DEAD 3");
    assertThat(rows.of("bad").getLastError()).contains("NumberFormatException");
  }

  @Test
  void rowThatCannotBeRead_endsDead_andTheOthersAreDelivered() {
    assertOnlyTheBadOneIsDead(relay().on(NUMBERS, (number, attempt) -> read.add(number)));
  }

  @Test
  void rowThatCannotBeRead_failsByItself_andNotItsBatch() {
    assertOnlyTheBadOneIsDead(
        relay()
            .onBatch(
                NUMBERS,
                20,
                batch -> {
                  batch.forEach(one -> read.add(one.payload()));
                  return batch.stream().map(one -> DeliveryOutcome.delivered()).toList();
                }));
  }
}

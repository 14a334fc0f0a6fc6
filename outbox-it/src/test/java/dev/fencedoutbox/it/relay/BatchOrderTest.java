package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.BatchHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run stops at its first failure, whether its handler takes one message at once or many. */
class BatchOrderTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final List<List<String>> calls = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static RelayBuilder relay() {
    return Relay.from(DB.pool())
        .options(RelayOptions.defaults().withBackoff(Backoff.fixed(Duration.ofHours(1))));
  }

  private BatchHandler<JSONB> failing(String eventId, DeliveryOutcome failure) {
    return batch -> {
      calls.add(batch.stream().map(one -> one.attempt().eventId()).toList());
      return batch.stream()
          .map(
              one ->
                  one.attempt().eventId().equals(eventId) ? failure : DeliveryOutcome.delivered())
          .toList();
    };
  }

  // Case 27: what follows a failed one of its key goes back, whatever was answered
  @Test
  void batch_whoseFirstOfAKeyFails_handsTheLaterOnesBack_andKeepsOtherKeys() {
    rows.addUnder("k", "k1", "k2", "k3");
    rows.addUnder("l", "l1", "l2");
    try (SteppedRelay relay =
        relay()
            .onBatch(PLAIN, 10, failing("k1", DeliveryOutcome.retry("too large")))
            .stepByStep()) {
      assertThat(relay.claim()).isEqualTo(5);
      relay.deliver();
      relay.record();
      assertThat(calls).containsExactly(List.of("k1", "k2", "k3", "l1", "l2"));
      assertThat(relay.counters().abandoned()).isEqualTo(2);
    }
    assertThat(rows.delivered()).containsExactly("l1", "l2");
    assertThat(rows.standing("k1")).isEqualTo("READY 1");
    assertThat(rows.standing("k2")).isEqualTo("READY 0");
    assertThat(rows.standing("k3")).isEqualTo("READY 0");
  }

  @Test
  void batch_whoseMiddleOneIsHandedBack_handsTheLaterOnesBackWithIt() {
    rows.addUnder("k", "k1", "k2", "k3");
    try (SteppedRelay relay =
        relay()
            .onBatch(PLAIN, 10, failing("k2", DeliveryOutcome.release("no time")))
            .stepByStep()) {
      assertThat(relay.claim()).isEqualTo(3);
      relay.deliver();
      relay.record();
    }
    assertThat(rows.delivered()).containsExactly("k1");
    assertThat(rows.standing("k2")).isEqualTo("READY 0");
    assertThat(rows.standing("k3")).isEqualTo("READY 0");
  }

  @Test
  void batch_whoseMiddleOneFails_completesTheAcknowledgedPrefix() {
    rows.addUnder("k", "k1", "k2", "k3");
    try (SteppedRelay relay =
        relay().onBatch(PLAIN, 10, failing("k2", DeliveryOutcome.bury("hopeless"))).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(3);
    }
    assertThat(rows.delivered()).containsExactly("k1");
    assertThat(rows.standing("k2")).isEqualTo("DEAD 1");
    assertThat(rows.standing("k3")).isEqualTo("READY 0");
  }

  @Test
  void run_stopsAtItsFirstFailure_andTheLaterOnesAreNotBegun() {
    rows.addUnder("k", "k1", "k2", "k3");
    List<String> begun = new ArrayList<>();
    try (SteppedRelay relay =
        relay()
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  begun.add(attempt.eventId());
                  return attempt.eventId().equals("k2")
                      ? DeliveryOutcome.retry("not now")
                      : DeliveryOutcome.delivered();
                })
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(3);
    }
    assertThat(begun).containsExactly("k1", "k2");
    assertThat(rows.delivered()).containsExactly("k1");
    assertThat(rows.standing("k2")).isEqualTo("READY 1");
    assertThat(rows.standing("k3")).isEqualTo("READY 0");
  }

  @Test
  void batch_takesWhatWaits_upToItsBound() {
    rows.addMany("m", 7);
    try (SteppedRelay relay =
        relay().onBatch(PLAIN, 3, failing("none", DeliveryOutcome.delivered())).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(7);
    }
    assertThat(calls.stream().map(List::size)).containsExactly(3, 3, 1);
    assertThat(rows.delivered()).hasSize(7);
  }
}

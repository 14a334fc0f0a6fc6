package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.DecidingHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many relays at one moment. */
class ManyRelaysTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration MINUTE = Duration.ofSeconds(60);

  private final Rows rows = new Rows(DB);
  private final Queue<String> called = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private void runAtOnce(int relays, RelayOptions options, DecidingHandler<JSONB> handler) {
    assertThat(
            Together.run(
                relays,
                () -> {
                  try (SteppedRelay relay =
                      Relay.from(DB.pool())
                          .options(options)
                          .onDeciding(PLAIN, handler)
                          .stepByStep()) {
                    return relay.runUntilEmpty();
                  }
                }))
        .hasSize(relays);
  }

  // Case 28
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twelveRelays_tryAFailingRowNoSoonerThanItsWait(boolean byTheHandler) {
    rows.add("bad");
    RelayOptions options =
        RelayOptions.defaults().withBackoff(Backoff.fixed(byTheHandler ? Duration.ZERO : MINUTE));
    DecidingHandler<JSONB> failing =
        (payload, attempt) -> {
          called.add(attempt.eventId());
          return byTheHandler
              ? DeliveryOutcome.retryAfter(MINUTE, "not now")
              : DeliveryOutcome.retry("not now");
        };
    for (int round = 1; round <= 3; round++) {
      runAtOnce(12, options, failing);
      assertThat(called).hasSize(round);
      assertThat(rows.standing("bad")).isEqualTo("READY " + round);
      assertThat(
              DB.dsl()
                  .fetchSingle(
                      "select extract(epoch from next_attempt_at - clock_timestamp()) from"
                          + " outbox.delivery")
                  .get(0, Double.class))
          .isBetween(30.0, 60.0);
      rows.makeDue("bad");
    }
  }

  // Case 29
  @Test
  void tenMessagesOfEqualPayload_areTenDeliveries() {
    rows.addMany("m", 10);
    runAtOnce(
        4,
        RelayOptions.defaults().withConcurrency(1).withPrefetch(1),
        (payload, attempt) -> {
          called.add(attempt.eventId());
          return DeliveryOutcome.delivered();
        });
    assertThat(called).hasSize(10).doesNotHaveDuplicates();
    assertThat(rows.delivered()).hasSize(10);
    assertThat(rows.left()).isEmpty();
  }
}

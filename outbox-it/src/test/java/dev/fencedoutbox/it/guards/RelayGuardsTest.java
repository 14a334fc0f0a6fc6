package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeadHeadPolicy;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which deliveries a relay touches, besides those that it holds: none. */
class RelayGuardsTest {

  private static final TestDatabase DB = TestDatabase.create();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void relay_thatSkipsItsDeadHead_leavesThoseOfOthersInTheirKeys() {
    enqueue(DB.dsl(), message("theirs").orderingKey("k").channel("elsewhere"));
    enqueue(DB.dsl(), message("mine").orderingKey("k"));
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.delivery set status = 'DEAD', next_attempt_at = '9999-12-31"
                        + " 00:00:00+00' where channel = 'elsewhere'"))
        .isEqualTo(1);

    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .options(RelayOptions.defaults().withDeadHead(DeadHeadPolicy.SKIP))
            .onDeciding(PLAIN, (payload, attempt) -> DeliveryOutcome.bury("hopeless"))
            .stepByStep()) {
      relay.runUntilEmpty();
    }

    assertThat(
            DB.dsl()
                .fetch(
                    "select channel || ' ' || status::text || ' ' || coalesce(ordering_key, '-')"
                        + " from outbox.delivery order by 1")
                .into(String.class))
        .containsExactly("default DEAD -", "elsewhere DEAD k");
  }

  @Test
  void relay_thatPassesByALockedRow_locksNoneButItsOwn() throws Exception {
    enqueue(DB.dsl(), message("mine"), message("mine as well"));
    enqueue(DB.dsl(), message("theirs").channel("elsewhere"));
    List<List<Long>> unlocked = new ArrayList<>();
    DSLContext watched =
        DB.dsl()
            .configuration()
            .deriveAppending(
                ExecuteListener.onExecuteEnd(
                    ctx -> {
                      if (String.valueOf(ctx.sql()).endsWith("for update skip locked")) {
                        unlocked.add(Guarded.DELIVERY.lockable(DB.dsl()));
                      }
                    }))
            .dsl();
    List<Long> ids = DB.dsl().fetch("select id from outbox.delivery order by 1").into(Long.class);
    try (SteppedRelay relay =
            Relay.from(DB.pool())
                .jooq(watched.configuration())
                .on(PLAIN, (payload, attempt) -> {})
                .stepByStep();
        Connection other = DB.connect()) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      other.setAutoCommit(false);
      Guarded.DELIVERY.set(TestDatabase.on(other), ids.get(0), "last_error = 'mine'");

      assertThat(relay.record()).isFalse();
      assertThat(relay.record()).isFalse();

      assertThat(relay.counters().delivered()).isEqualTo(1);
      assertThat(unlocked).isNotEmpty().allMatch(List.of(ids.get(2))::equals);
      other.rollback();
      assertThat(relay.record()).isTrue();
    }
  }
}

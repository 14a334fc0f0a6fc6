package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case 26: A enqueues and stays open, B enqueues and commits, the relay polls, A commits. */
class LateCommitTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private final List<String> delivered = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private SteppedRelay relay() {
    return Relay.from(DB.pool())
        .nanoClock(clock)
        .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
        .stepByStep();
  }

  @Test
  void keyed_theSecondWaitsForTheFirst_andTheOrderIsTheirs() throws Exception {
    try (Connection a = DB.connect();
        Connection b = DB.connect();
        Together together = new Together();
        SteppedRelay relay = relay()) {
      a.setAutoCommit(false);
      b.setAutoCommit(false);
      assertThat(Outbox.create().enqueue(TestDatabase.on(a), message("first").orderingKey("k")))
          .isEqualTo(EnqueueOutcome.CREATED);
      int pid = Together.pid(TestDatabase.on(b));
      Future<?> second =
          together.start(
              () -> {
                EnqueueOutcome outcome =
                    Outbox.create().enqueue(TestDatabase.on(b), message("second").orderingKey("k"));
                b.commit();
                return outcome;
              });
      Together.awaitBlocked(DB.dsl(), pid);
      assertThat(relay.runUntilEmpty()).isZero();
      a.commit();
      assertThat(Together.resultOf(second)).isEqualTo(EnqueueOutcome.CREATED);
      assertThat(relay.runUntilEmpty()).isEqualTo(2);
    }
    assertThat(delivered).containsExactly("first", "second");
  }

  @Test
  void unkeyed_theLateOneIsFoundByTheNextSweep() throws Exception {
    try (Connection a = DB.connect();
        SteppedRelay relay = relay()) {
      a.setAutoCommit(false);
      assertThat(Outbox.create().enqueue(TestDatabase.on(a), message("late")))
          .isEqualTo(EnqueueOutcome.CREATED);
      TestDatabase.on(a)
          .execute("update outbox.delivery set next_attempt_at = next_attempt_at - interval '1h'");
      rows.add("early");
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
      a.commit();
      clock.pass(Pacing.defaults().sweepEvery());
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
    assertThat(delivered).containsExactly("early", "late");
  }
}

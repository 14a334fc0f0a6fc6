package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.BatchHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a handler throws or returns is one failed attempt, and the relay goes on. */
class HandlerFaultsTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final List<String> called = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static RelayBuilder relay() {
    return Relay.from(DB.pool())
        .options(RelayOptions.defaults().withBackoff(Backoff.fixed(Duration.ofHours(1))));
  }

  private Handler<JSONB> failingAtTheFirst(Handler<JSONB> fault) {
    return (payload, attempt) -> {
      called.add(attempt.eventId());
      if (attempt.eventId().equals("m0")) {
        fault.handle(payload, attempt);
      }
    };
  }

  private void runOver(RelayBuilder builder) {
    rows.addMany("m", 3);
    try (SteppedRelay relay = builder.stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(3);
      assertThat(relay.counters().retried()).isEqualTo(1);
      assertThat(relay.counters().running() + relay.counters().recording()).isZero();
    }
    assertThat(rows.left()).containsExactly("m0");
    assertThat(rows.standing("m0")).isEqualTo("READY 1");
  }

  enum Thrown {
    CHECKED(new Exception("checked")),
    INTERRUPTED(new InterruptedException("interrupted")),
    STACK_OVERFLOW(new StackOverflowError("too deep")),
    ASSERTION(new AssertionError("not so")),
    LINKAGE(new NoClassDefFoundError("gone/Missing"));

    @SuppressWarnings("ImmutableEnumChecker") // thrown, not changed
    private final Throwable thrown;

    Thrown(Throwable thrown) {
      this.thrown = thrown;
    }

    void fly() throws Exception {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (Exception) thrown;
    }
  }

  @ParameterizedTest
  @EnumSource(Thrown.class)
  void handler_thatThrowsAnything_hasFailedOnce(Thrown thrown) {
    runOver(relay().on(PLAIN, failingAtTheFirst((payload, attempt) -> thrown.fly())));
    assertThat(rows.of("m0").getLastError()).isEqualTo(thrown.thrown.toString());
  }

  @Test
  void handler_thatReallyOverflowsItsStack_hasFailedOnce() {
    runOver(relay().on(PLAIN, failingAtTheFirst((payload, attempt) -> descend(0))));
    assertThat(rows.of("m0").getLastError()).isEqualTo("java.lang.StackOverflowError");
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static int descend(int depth) {
    return descend(depth + 1) + descend(depth + 2);
  }

  /** A failure that fails when it is to be told. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  @Test
  void handler_whoseFailureCannotBeTold_hasFailedOnce() {
    runOver(
        relay()
            .on(
                PLAIN,
                failingAtTheFirst(
                    (payload, attempt) -> {
                      throw new Unspeakable();
                    })));
    assertThat(rows.of("m0").getLastError()).startsWith(Unspeakable.class.getName());
  }

  @Test
  void handler_thatInterruptsItsOwnThread_hurtsNobodyElse() {
    rows.addMany("m", 3);
    List<Boolean> interruptedAtTheStart = new ArrayList<>();
    try (SteppedRelay relay =
        relay()
            .on(
                PLAIN,
                (payload, attempt) -> {
                  interruptedAtTheStart.add(Thread.currentThread().isInterrupted());
                  Thread.currentThread().interrupt();
                })
            .stepByStep()) {
      relay.runUntilEmpty();
    }
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(interruptedAtTheStart).containsExactly(false, false, false);
    assertThat(rows.delivered()).hasSize(3);
  }

  @Test
  @SuppressWarnings("NullAway") // a host without nullness checks can do it
  void handler_thatReturnsNull_hasFailedOnce_andIsTold() {
    runOver(
        relay()
            .onDeciding(
                PLAIN,
                (payload, attempt) ->
                    attempt.eventId().equals("m0") ? null : DeliveryOutcome.delivered()));
    assertThat(rows.of("m0").getLastError())
        .contains("returned [null] for 1 deliveries")
        .contains("Return one outcome each");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "too few", "too many", "null inside"})
  @SuppressWarnings("NullAway") // a host without nullness checks can do it
  void batchHandler_thatDoesNotAnswerEachMessage_hasFailedAtAll_andIsTold(String answer) {
    rows.addMany("m", 3);
    BatchHandler<JSONB> handler = batch -> answers(answer, batch.size());
    try (SteppedRelay relay = relay().onBatch(PLAIN, 10, handler).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(3);
      assertThat(relay.counters().retried()).isEqualTo(3);
    }
    assertThat(rows.standing("m2")).isEqualTo("READY 1");
    assertThat(rows.of("m2").getLastError()).contains("returned").contains("Return one outcome");
  }

  @SuppressWarnings("NullAway") // a host without nullness checks can do it
  private static @Nullable List<DeliveryOutcome> answers(String kind, int size) {
    if (kind.equals("null")) {
      return null;
    }
    List<DeliveryOutcome> all = new ArrayList<>();
    int count = kind.equals("too few") ? size - 1 : kind.equals("too many") ? size + 1 : size;
    for (int i = 0; i < count; i++) {
      all.add(kind.equals("null inside") && i == 1 ? null : DeliveryOutcome.delivered());
    }
    return all;
  }

  @Test
  void interceptor_thatFails_isAFailedAttempt() {
    rows.add("m0");
    try (SteppedRelay relay =
        relay()
            .on(PLAIN, (payload, attempt) -> {})
            .intercept(
                (attempts, next) -> {
                  throw new IllegalStateException("no span");
                })
            .stepByStep()) {
      relay.runUntilEmpty();
    }
    assertThat(rows.of("m0").getLastError()).endsWith("no span");
  }
}

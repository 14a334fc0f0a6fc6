package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.DecidingHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attempts are counted when claimed, and what happens when they are used up. */
class AttemptsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Converter<JSONB, JSONB> PLAIN_JSON =
      Converter.of(JSONB.class, JSONB.class, json -> json, json -> json);

  private final Rows rows = new Rows(DB);
  private final OwnClock clock = new OwnClock();
  private final List<Integer> attempts = new ArrayList<>();

  @BeforeEach
  void oneMessage() {
    DB.clear();
    rows.add("one");
  }

  private RelayBuilder relay(RelayOptions options, DeliveryOutcome outcome) {
    DecidingHandler<JSONB> handler =
        (payload, attempt) -> {
          attempts.add(attempt.number());
          return outcome;
        };
    return Relay.from(DB.pool()).nanoClock(clock).options(options).onDeciding(PLAIN, handler);
  }

  private static RelayOptions threeAtOnce() {
    return RelayOptions.defaults().withAttemptBudget(3).withBackoff(Backoff.fixed(Duration.ZERO));
  }

  private static List<String> errorsOf(Runnable work) {
    try (LogLines log = LogLines.of("dev.fencedoutbox", Level.ERROR)) {
      work.run();
      return log.messages();
    }
  }

  @Test
  void failures_useTheBudgetUp_andTheLastIsBuried_loudly() {
    List<String> errors =
        errorsOf(
            () -> {
              try (SteppedRelay relay =
                  relay(threeAtOnce(), DeliveryOutcome.retry("no luck")).stepByStep()) {
                assertThat(relay.runUntilEmpty()).isEqualTo(3);
                assertThat(relay.counters().retried()).isEqualTo(2);
                assertThat(relay.counters().buried()).isEqualTo(1);
              }
            });
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(rows.standing("one")).isEqualTo("DEAD 3");
    String reason = "The attempt budget of 3 of topic plain is used up. Last error: no luck";
    assertThat(rows.of("one").getLastError()).isEqualTo(reason);
    assertThat(errors)
        .containsExactly(
            "Buried attempt 3 at delivery %d of message one on default; it is DEAD and is not claimed again until somebody redrives it. Reason: %s"
                .formatted(rows.of("one").getId(), reason));
  }

  @Test
  void release_byTheHandler_handsItBackAsItWas_andCostsNoAttempt() {
    try (SteppedRelay relay =
        relay(threeAtOnce(), DeliveryOutcome.release("not here")).stepByStep()) {
      for (int i = 0; i < 5; i++) {
        assertThat(relay.claim()).isEqualTo(1);
        relay.deliver();
        relay.record();
        assertThat(rows.standing("one")).isEqualTo("READY 0");
      }
      assertThat(relay.counters().released()).isEqualTo(5);
      assertThat(relay.counters().retried()).isZero();
    }
    assertThat(attempts).containsExactly(1, 1, 1, 1, 1);
    assertThat(rows.of("one").getEpoch()).isEqualTo(5);
    assertThat(rows.of("one").getLastError()).isNull();
  }

  @Test
  void budgetOfATopic_mayBeSmallerThanTheRelays() {
    try (SteppedRelay relay =
        relay(threeAtOnce(), DeliveryOutcome.retry("no luck"))
            .attemptBudget(PLAIN, 2)
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(2);
    }
    assertThat(rows.standing("one")).isEqualTo("DEAD 2");
  }

  @Test
  void budgetOfATopic_mayBeLargerThanTheRelays() {
    try (SteppedRelay relay =
        relay(threeAtOnce(), DeliveryOutcome.retry("no luck"))
            .attemptBudget(PLAIN, 5)
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(5);
    }
    assertThat(rows.standing("one")).isEqualTo("DEAD 5");
  }

  /** A relay that dies with the delivery in hand. */
  private void crash(RelayBuilder builder) {
    @SuppressWarnings("resource") // that is what a crash is
    SteppedRelay dies = builder.stepByStep();
    assertThat(dies.claim()).isEqualTo(1);
    rows.expire("one");
  }

  @Test
  void crash_countsAsAnAttempt_andTheClaimBuriesTheLast_loudly() {
    RelayBuilder builder = relay(threeAtOnce(), DeliveryOutcome.delivered());
    crash(builder);
    crash(builder);
    crash(builder);
    List<String> errors =
        errorsOf(
            () -> {
              try (SteppedRelay relay = builder.stepByStep()) {
                assertThat(relay.runUntilEmpty()).isZero();
                assertThat(relay.counters().buried()).isEqualTo(1);
              }
            });
    assertThat(attempts).isEmpty();
    assertThat(rows.standing("one")).isEqualTo("DEAD 3");
    assertThat(errors)
        .singleElement(STRING)
        .contains("after 3 attempts")
        .contains("DEAD")
        .endsWith("Reason: " + rows.of("one").getLastError());
  }

  @Test
  void crash_beyondTheBudgetOfATopic_isNotBegunAgain() {
    RelayBuilder builder =
        relay(threeAtOnce(), DeliveryOutcome.delivered()).attemptBudget(PLAIN, 1);
    crash(builder);
    try (SteppedRelay relay = builder.stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
    assertThat(attempts).isEmpty();
    assertThat(rows.of("one").getStatus().getLiteral()).isEqualTo("DEAD");
    assertThat(rows.of("one").getLastError())
        .isEqualTo("The attempt budget of 1 of topic plain is used up.");
  }

  @Test
  void release_givesTheAttemptBack() {
    RelayBuilder builder = relay(threeAtOnce(), DeliveryOutcome.delivered());
    for (int i = 0; i < 5; i++) {
      try (SteppedRelay relay = builder.stepByStep()) {
        assertThat(relay.claim()).isEqualTo(1);
      }
    }
    assertThat(rows.standing("one")).isEqualTo("READY 0");
    assertThat(rows.of("one").getEpoch()).isEqualTo(5);
  }

  private Duration wait(RelayOptions options, DeliveryOutcome outcome) {
    try (SteppedRelay relay = relay(options, outcome).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
    OffsetDateTime now = DB.dsl().fetchSingle(DSL.select(DSL.currentOffsetDateTime())).value1();
    return Duration.between(now, rows.of("one").getNextAttemptAt());
  }

  @Test
  void failure_waitsAsTheBackoffSays_byTheDatabasesClock() {
    RelayOptions hour = threeAtOnce().withBackoff(Backoff.fixed(Duration.ofHours(1)));
    assertThat(wait(hour, DeliveryOutcome.retry("later")))
        .isCloseTo(Duration.ofHours(1), Duration.ofSeconds(20));
  }

  @Test
  void retryAfter_winsOverTheBackoff() {
    RelayOptions hour = threeAtOnce().withBackoff(Backoff.fixed(Duration.ofHours(1)));
    assertThat(wait(hour, DeliveryOutcome.retryAfter(Duration.ofDays(3), "503")))
        .isCloseTo(Duration.ofDays(3), Duration.ofSeconds(20));
  }

  @Test
  void retryAfter_doesNotStretchTheBudget() {
    try (SteppedRelay relay =
        relay(
                threeAtOnce().withAttemptBudget(1),
                DeliveryOutcome.retryAfter(Duration.ofDays(3), "503"))
            .stepByStep()) {
      relay.runUntilEmpty();
    }
    assertThat(rows.standing("one")).isEqualTo("DEAD 1");
  }

  @Test
  void bury_isDeadAtOnce_loudly() {
    List<String> errors =
        errorsOf(
            () -> {
              try (SteppedRelay relay =
                  relay(threeAtOnce(), DeliveryOutcome.bury("hopeless")).stepByStep()) {
                assertThat(relay.runUntilEmpty()).isEqualTo(1);
              }
            });
    assertThat(rows.standing("one")).isEqualTo("DEAD 1");
    assertThat(rows.of("one").getLastError()).isEqualTo("hopeless");
    assertThat(errors).singleElement(STRING).endsWith("Reason: hopeless");
  }

  @Test
  void retryAtOnce_byTheHandlerItself_isNotTakenForAHandlerThatHangs() {
    List<SteppedRelay> self = new ArrayList<>();
    List<Integer> attempts = new ArrayList<>();
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .options(RelayOptions.defaults().withAttemptBudget(2).withConcurrency(1))
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  attempts.add(attempt.number());
                  if (attempt.number() == 1) {
                    assertThat(
                            Leases.ownedBy("handler")
                                .retry(DB.dsl(), attempt.lease(), Duration.ZERO, "again")
                                .accepted())
                        .isTrue();
                    assertThat(self.get(0).claim()).isEqualTo(1); // before this one has returned
                  }
                  return attempt.number() == 1
                      ? DeliveryOutcome.settled()
                      : DeliveryOutcome.delivered();
                })
            .stepByStep()) {
      self.add(relay);
      assertThat(relay.claim()).isEqualTo(1);
      relay.deliver();
      assertThat(relay.record()).isTrue();
      assertThat(relay.counters().buried()).isZero();
    }
    assertThat(attempts).containsExactly(1, 2);
  }

  @Test
  void settled_byTheHandlerItself_isNotRecordedAgain() {
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .onDeciding(
                PLAIN,
                (payload, attempt) -> {
                  assertThat(
                          Leases.ownedBy("handler").complete(DB.dsl(), attempt.lease()).accepted())
                      .isTrue();
                  return DeliveryOutcome.settled();
                })
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
      assertThat(relay.counters().delivered()).isEqualTo(1);
      assertThat(relay.counters().refused()).isZero();
      assertThat(relay.counters().recording()).isZero();
    }
    assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
  }

  @Test
  void unknownTopic_isPutOff_andItsAttemptsGivenBack() {
    RelayOptions options =
        threeAtOnce().withPacing(Pacing.defaults().withUnknownTopicPause(Duration.ofMinutes(20)));
    try (SteppedRelay relay =
        Relay.from(DB.pool())
            .options(options)
            .on(Topic.json("other", PLAIN_JSON), (payload, attempt) -> {})
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
      assertThat(relay.counters().released()).isEqualTo(1);
    }
    assertThat(rows.standing("one")).isEqualTo("READY 0");
    OffsetDateTime now = DB.dsl().fetchSingle(DSL.select(DSL.currentOffsetDateTime())).value1();
    assertThat(Duration.between(now, rows.of("one").getNextAttemptAt()).toSeconds())
        .isCloseTo(20 * 60, within(20L));
  }

  @Test
  void unknownTopic_atTheHeadOfAKey_holdsItsKey() {
    DB.clear();
    Topic<JSONB> other = Topic.json("other", PLAIN_JSON);
    enqueue(
        DB.dsl(),
        other.message(JSONB.valueOf("1")).eventId("k1").orderingKey("k"),
        message("k2").orderingKey("k"));
    try (SteppedRelay relay = relay(threeAtOnce(), DeliveryOutcome.delivered()).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(2);
    }
    assertThat(attempts).isEmpty();
    assertThat(rows.standing("k1")).isEqualTo("READY 0");
    assertThat(rows.standing("k2")).isEqualTo("READY 0");
  }
}

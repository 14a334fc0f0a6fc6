package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.buried;
import static dev.fencedoutbox.it.operate.Dead.claimed;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.operate.Signals;
import dev.fencedoutbox.operate.Snapshot;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each number of a snapshot, with and without an ordering key. */
class SignalsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Signals SIGNALS = Signals.of(Channel.DEFAULT);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void read_ofAnIdleChannel_isAllZero() {
    enqueue(DB.dsl(), Fixtures.message("far").channel("elsewhere"));

    Snapshot idle = SIGNALS.read(DB.dsl());

    assertThat(idle).isEqualTo(new Snapshot(idle.at(), null, 0, 0, 0, 0, 0, null, false));
  }

  @ParameterizedTest(name = "ordering key {0}")
  @NullSource
  @ValueSource(strings = "k")
  void read_tellsEachKindApart(@Nullable String key) {
    buried(DB.dsl(), message("dead", key, "1"));
    enqueue(DB.dsl(), message("expired", key, "2"), message("leased", key, "3"));
    assertThat(claimed(DB.dsl())).hasSize(2);
    expireDelivery(DB.dsl(), Dead.deliveryOf(DB.dsl(), "expired"));
    enqueue(
        DB.dsl(),
        message("due", key, "4"),
        message("later", key, "5").after(HOUR),
        message("much later", key, "6").after(HOUR));

    Snapshot snapshot = SIGNALS.read(DB.dsl());

    assertThat(snapshot.eligible()).isEqualTo(2);
    assertThat(snapshot.waiting()).isEqualTo(2);
    assertThat(snapshot.inFlight()).isEqualTo(1);
    assertThat(snapshot.expiredLeases()).isEqualTo(1);
    assertThat(snapshot.dead()).isEqualTo(1);
    assertThat(snapshot.capped()).isFalse();
  }

  @ParameterizedTest(name = "ordering key {0}")
  @NullSource
  @ValueSource(strings = "k")
  void oldestEligibleAge_isSinceItBecameDue(@Nullable String key) {
    enqueue(DB.dsl(), message("old", key, "1"), message("new", key, "2"));
    move("old", "next_attempt_at", HOUR);

    assertThat(SIGNALS.read(DB.dsl()).oldestEligibleAge()).isCloseTo(HOUR, MINUTE);
  }

  @ParameterizedTest(name = "ordering key {0}")
  @NullSource
  @ValueSource(strings = "k")
  void oldestEligibleAge_ofAnExpiredLease_isSinceItsEnd(@Nullable String key) {
    enqueue(DB.dsl(), message("slow", key, "1"));
    move("slow", "next_attempt_at", HOUR.multipliedBy(5));
    assertThat(claimed(DB.dsl())).hasSize(1);
    assertThat(SIGNALS.read(DB.dsl()).oldestEligibleAge()).as("leased").isNull();
    move("slow", "lease_until", HOUR);

    assertThat(SIGNALS.read(DB.dsl()).oldestEligibleAge())
        .isCloseTo(HOUR.minusMinutes(10), MINUTE); // the lease was one of ten minutes
  }

  @Test
  void oldestDeadAge_isSinceTheEnqueueOfItsMessage() {
    buried(DB.dsl(), Fixtures.message("a"), Fixtures.message("b"));
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.message set created_at = created_at - interval '1 hour'"
                        + " where event_id = 'a'"))
        .isEqualTo(1);

    assertThat(SIGNALS.read(DB.dsl()).oldestDeadAge()).isCloseTo(HOUR, MINUTE);
  }

  @Test
  void read_beyondTheLimit_countsUpToItAndSaysSo() {
    enqueue(DB.dsl(), Fixtures.message("a"), Fixtures.message("b"), Fixtures.message("c"));

    Snapshot capped = SIGNALS.countingUpTo(2).read(DB.dsl());
    Snapshot exact = SIGNALS.countingUpTo(4).read(DB.dsl());

    assertThat(capped.eligible()).isEqualTo(2);
    assertThat(capped.capped()).isTrue();
    assertThat(exact.eligible()).isEqualTo(3);
    assertThat(exact.capped()).isFalse();
  }

  /** Each under a key of its own, so that none holds up another. */
  private static Message message(String eventId, @Nullable String key, String suffix) {
    return key == null
        ? Fixtures.message(eventId)
        : Fixtures.message(eventId).orderingKey(key + suffix);
  }

  private static void move(String eventId, String column, Duration back) {
    assertThat(
            DB.dsl()
                .execute(
                    "update outbox.delivery set %1$s = %1$s - ?::interval where id = ?"
                        .formatted(column),
                    back.toString(),
                    Dead.deliveryOf(DB.dsl(), eventId)))
        .isEqualTo(1);
  }
}

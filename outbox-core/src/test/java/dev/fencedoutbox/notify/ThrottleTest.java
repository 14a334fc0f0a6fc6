package dev.fencedoutbox.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ThrottleTest {

  private static final Channel A = Channel.of("a");
  private static final Channel B = Channel.of("b");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Throttle throttle = new Throttle(Duration.ofNanos(100));

  @Test
  void take_ofAQuietChannel_isAtOnce() {
    throttle.ask(Set.of(A));
    assertThat(throttle.untilNext(1_000, MINUTE)).isZero();
    assertThat(throttle.take(1_000)).containsExactly(A);
    assertThat(throttle.take(1_000)).isEmpty();
    assertThat(throttle.untilNext(1_000, MINUTE)).isEqualTo(MINUTE);
  }

  @Test
  void take_withinTheInterval_isPutOffToItsEnd_andHappensOnce() {
    throttle.ask(Set.of(A));
    assertThat(throttle.take(1_000)).containsExactly(A);
    throttle.ask(Set.of(A));
    throttle.ask(Set.of(A));
    assertThat(throttle.take(1_099)).isEmpty();
    assertThat(throttle.untilNext(1_099, MINUTE)).isEqualTo(Duration.ofNanos(1));
    assertThat(throttle.take(1_100)).containsExactly(A);
    assertThat(throttle.take(1_200)).isEmpty();
  }

  @Test
  void take_ofAnotherChannel_doesNotWait() {
    throttle.ask(Set.of(A));
    assertThat(throttle.take(1_000)).containsExactly(A);
    throttle.ask(Set.of(A, B));
    assertThat(throttle.take(1_001)).containsExactly(B);
    assertThat(throttle.untilNext(1_001, MINUTE)).isEqualTo(Duration.ofNanos(99));
  }

  /** The readings of a monotonic clock may be anything, and overflow. */
  @Test
  void take_aroundTheClocksOverflow_countsOn() {
    throttle.ask(Set.of(A));
    assertThat(throttle.take(Long.MAX_VALUE - 10)).containsExactly(A);
    throttle.ask(Set.of(A));
    assertThat(throttle.untilNext(Long.MIN_VALUE + 9, MINUTE)).isEqualTo(Duration.ofNanos(80));
    assertThat(throttle.take(Long.MIN_VALUE + 88)).isEmpty();
    assertThat(throttle.take(Long.MIN_VALUE + 89)).containsExactly(A);
  }
}

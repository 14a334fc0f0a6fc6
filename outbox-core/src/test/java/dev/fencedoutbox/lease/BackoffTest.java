package dev.fencedoutbox.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Backoff.Exponential DOUBLING =
      new Backoff.Exponential(Duration.ofSeconds(1), Duration.ofMinutes(5));

  @Test
  void exponential_doublesWithEachAttempt_upToTheLongest() {
    assertThat(IntStream.of(1, 2, 3, 9, 10, 1_000_000).mapToObj(DOUBLING::bound))
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(256),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5));
  }

  @Test
  void exponential_hasFullJitter() {
    Random random = new Random(7);
    List<Duration> waits =
        IntStream.range(0, 1_000).mapToObj(i -> DOUBLING.after(3, random)).toList();
    assertThat(waits)
        .allSatisfy(wait -> assertThat(wait).isBetween(Duration.ZERO, Duration.ofSeconds(4)));
    assertThat(waits).anySatisfy(wait -> assertThat(wait).isLessThan(Duration.ofMillis(200)));
    assertThat(waits).anySatisfy(wait -> assertThat(wait).isGreaterThan(Duration.ofMillis(3_800)));
  }

  @Test
  void fixed_isAlwaysTheSame() {
    Backoff fixed = Backoff.fixed(Duration.ofSeconds(60));
    assertThat(fixed.after(1, new Random(7))).isEqualTo(Duration.ofSeconds(60));
    assertThat(fixed.after(100, new Random(7))).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void backoff_outOfBounds_isRefused() {
    assertThatThrownBy(() -> Backoff.fixed(Duration.ofSeconds(-1)))
        .hasMessageContaining("delay must be between PT0S and PT720H and is PT-1S");
    assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("longest must be between PT2S and PT720H and is PT1S");
  }
}

package dev.fencedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class PaceTest {

  private final Pacing pacing = Pacing.defaults();
  private final Pace pace = new Pace(pacing, ThreadLocalRandom.current());

  /** Two statements a poll, so at the most one a second. */
  @Test
  void idleRelay_byDefault_pollsAtTheMostEveryTwoSeconds_andAtLeastEverySweep() {
    for (int i = 0; i < 20; i++) {
      pace.afterClaim(false, false);
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(pace.afterClaim(false, false))
          .isBetween(Duration.ofSeconds(2), pacing.sweepEvery());
    }
  }

  @Test
  void relayThatFoundSomething_polls_soonAgain() {
    for (int i = 0; i < 20; i++) {
      pace.afterClaim(false, false);
    }
    assertThat(pace.afterClaim(true, false)).isLessThanOrEqualTo(pacing.shortestPoll());
    assertThat(pace.afterClaim(false, false)).isLessThanOrEqualTo(pacing.shortestPoll());
  }

  @Test
  void relayThatMayFindMore_doesNotWait() {
    assertThat(pace.afterClaim(true, true)).isZero();
  }
}

package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.relay.Pacing;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaceTest {

  private final Pace pace = new Pace(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(7));

  private static void assertAbout(Duration pause, long millis) {
    assertThat(pause).isBetween(Duration.ofMillis(millis * 3 / 4), Duration.ofMillis(millis));
  }

  @Test
  void more_isClaimedAtOnce() {
    assertThat(pace.afterClaim(true, true)).isZero();
    assertThat(pace.afterClaim(false, true)).isZero();
  }

  @Test
  void nothing_isAskedForLessOften_upToTheSweep() {
    assertAbout(pace.afterClaim(false, false), 100);
    assertAbout(pace.afterClaim(false, false), 200);
    assertAbout(pace.afterClaim(false, false), 400);
    assertAbout(pace.afterClaim(false, false), 800);
    assertAbout(pace.afterClaim(false, false), 1_000);
    assertAbout(pace.afterClaim(false, false), 1_000);
    assertAbout(pace.afterClaim(true, false), 100);
    assertAbout(pace.afterClaim(false, false), 100);
  }

  @Test
  void failures_areRepeatedLessOften_upToFiveSeconds_untilOneSucceeds() {
    assertAbout(pace.afterFailure(), 200);
    assertAbout(pace.afterFailure(), 400);
    assertAbout(pace.afterFailure(), 800);
    assertAbout(pace.afterFailure(), 1_600);
    assertAbout(pace.afterFailure(), 3_200);
    assertAbout(pace.afterFailure(), 5_000);
    assertAbout(pace.afterFailure(), 5_000);
    pace.succeeded();
    assertAbout(pace.afterFailure(), 200);
    assertThat(pace.afterClaim(true, true)).isZero();
    assertAbout(pace.afterFailure(), 200);
  }

  /** Two statements a poll, so at the most one a second. */
  @Test
  void idleRelay_byDefault_pollsAtTheMostEveryTwoSeconds_andAtLeastEverySweep() {
    Pacing pacing = Pacing.defaults();
    Pace byDefault = new Pace(pacing.shortestPoll(), pacing.sweepEvery(), new Random(7));
    for (int i = 0; i < 20; i++) {
      byDefault.afterClaim(false, false);
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(byDefault.afterClaim(false, false))
          .isBetween(Duration.ofSeconds(2), pacing.sweepEvery());
    }
  }
}

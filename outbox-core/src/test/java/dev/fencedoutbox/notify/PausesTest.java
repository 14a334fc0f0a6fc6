package dev.fencedoutbox.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PausesTest {

  private final Pauses pauses = new Pauses();

  @Test
  void pauses_double_andStopGrowing() {
    for (long bound = 200; bound < 30_000; bound *= 2) {
      assertThat(pauses.afterFailure())
          .isBetween(Duration.ofMillis(bound * 3 / 4), Duration.ofMillis(bound));
    }
    for (int i = 0; i < 5; i++) {
      assertThat(pauses.afterFailure())
          .isBetween(Duration.ofMillis(22_500), Duration.ofSeconds(30));
    }
    pauses.reset();
    assertThat(pauses.afterFailure()).isLessThanOrEqualTo(Duration.ofMillis(200));
  }
}

package dev.fencedoutbox.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GrowingPauseTest {

  @Test
  void pauses_growByHalfUpToTheLongest_andStartAnewAfterAReset() {
    GrowingPause pause = new GrowingPause(Duration.ofMillis(100), Duration.ofMillis(300));

    assertThat(Stream.generate(pause::next).limit(5).map(Duration::toMillis))
        .containsExactly(100L, 150L, 225L, 300L, 300L);
    pause.reset();
    assertThat(pause.next()).hasMillis(100);
  }
}

package dev.fencedoutbox.it.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random sequences of steps of three workers, operators and time, one after the other. */
@Tag(Proofs.SHORTENED)
class SequencesTest {

  static final int LENGTH = 150;
  static final int SEQUENCES = Proofs.effort(2, 5);

  private static final TestDatabase DB = TestDatabase.create();

  @ParameterizedTest
  @EnumSource
  void anySequence_isAnsweredAndStored_asTheModelSays(Sequence.Sort sort) {
    long began = System.nanoTime();
    long seed = Effort.seed();
    Sequence sequence = new Sequence(DB, DB.dsl(), sort);
    int done = 0;
    int steps = 0;
    while (Effort.goesOn(done, SEQUENCES, since(began))) {
      steps += sequence.run(seed + done++, LENGTH);
    }
    Effort.report(
        "%s: %d random sequences, %d steps, seeds from %d, %d ms"
            .formatted(sort, done, steps, seed, since(began).toMillis()));
    assertThat(steps).isGreaterThan(done * LENGTH / 4);
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}

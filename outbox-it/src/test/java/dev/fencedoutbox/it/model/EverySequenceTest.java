package dev.fencedoutbox.it.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.model.Tree.Place;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every sequence of steps up to a depth, on a row or two. */
@Tag(Proofs.SHORTENED)
class EverySequenceTest {

  private static final TestDatabase DB = TestDatabase.create();

  @ParameterizedTest
  @CsvSource({"ONE_DELIVERY, 4, 6", "ONE_JOB, 4, 6", "ONE_KEY, 3, 4"})
  void everySequence_isAnsweredAndStored_asTheModelSays(Alphabet alphabet, int brief, int whole) {
    int depth = Effort.depth(Proofs.effort(brief, whole));
    long began = System.nanoTime();
    List<List<Place>> sequences = Tree.sequences(alphabet, depth);
    int steps = new InStep(DB, DB.dsl(), alphabet).run(sequences);
    Effort.report(
        "%s: all %d sequences of %d changes, %d steps, %d ms"
            .formatted(
                alphabet, sequences.size(), depth, steps, (System.nanoTime() - began) / 1_000_000));
    assertThat(steps).isGreaterThan(sequences.size());
  }
}

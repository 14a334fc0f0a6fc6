package dev.fencedoutbox.it.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fencedoutbox.it.model.Sequence.Sort;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The check can fail: where a guard is gone, it finds so within the usual effort. */
@Tag(Proofs.SHORTENED)
class LoosenedTest {

  private static final TestDatabase DB = TestDatabase.create();

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"THE_GUARD_IS_READ_BEFORE_A_WAIT", "CLAIMS_DO_NOT_LOCK"})
  void randomSequences_withoutAGuard_fail(Weakness weakness) {
    Sort sort = weakness == Weakness.A_DEAD_HEAD_IS_PASSED ? Sort.RUNS : Sort.DELIVERIES;
    requireFound(weakness, failureOf(weakness, sort));
  }

  @ParameterizedTest
  @EnumSource(names = {"ANY_EPOCH_WRITES", "NO_DEADLINE", "LIVE_LEASES_ARE_CLAIMED"})
  void randomSequences_ofAHostsJobs_withoutAGuard_fail(Weakness weakness) {
    requireFound(weakness, failureOf(weakness, Sort.JOBS));
  }

  /** As {@link SequencesTest} goes about it, but with the same seeds each time. */
  private static @Nullable Counterexample failureOf(Weakness weakness, Sort sort) {
    Loosened loosened = weakness.loosened();
    Sequence sequence = new Sequence(DB, loosened.on(DB.dsl()), sort);
    @Nullable Counterexample found = null;
    for (int seed = 0; found == null && seed < SequencesTest.SEQUENCES; seed++) {
      found = sequence.failure(Choice.sequence(seed, SequencesTest.LENGTH));
    }
    assertThat(loosened.changed()).isPositive();
    return found;
  }

  @Test
  void failingSequence_isShortened_andFailsAlikeWithItsSeed() {
    Loosened loosened = Weakness.NO_DEADLINE.loosened();
    Sequence sequence = new Sequence(DB, loosened.on(DB.dsl()), Sort.DELIVERIES);
    Counterexample found = failing(() -> sequence.run(7, SequencesTest.LENGTH));
    Counterexample again = failing(() -> sequence.run(7, SequencesTest.LENGTH));
    assertThat(found.steps()).hasSizeLessThanOrEqualTo(6);
    assertThat(found).hasMessageContaining("-Dmodel.seed=7");
    assertThat(again.steps()).isEqualTo(found.steps());
  }

  @Test
  void everySequence_withoutTheEpoch_fails_andIsToldByItself() {
    Loosened loosened = Weakness.ANY_EPOCH_WRITES.loosened();
    InStep all = new InStep(DB, loosened.on(DB.dsl()), Alphabet.ONE_JOB);
    Counterexample found = failing(() -> all.run(Tree.sequences(Alphabet.ONE_JOB, 3)));
    requireFound(Weakness.ANY_EPOCH_WRITES, found);
    assertThat(found.steps().get(0)).contains("Event[name=x, key=]");
  }

  @ParameterizedTest
  @EnumSource(names = {"THE_GUARD_IS_READ_BEFORE_A_WAIT", "CLAIMS_DO_NOT_LOCK"})
  void overlappingTransactions_withoutAGuard_fail(Weakness weakness) throws SQLException {
    Loosened loosened = weakness.loosened();
    Situation situation =
        weakness == Weakness.CLAIMS_DO_NOT_LOCK ? Situation.READY : Situation.LEASED;
    try (Overlap overlap = new Overlap(DB, Kind.DELIVERIES, loosened::on)) {
      Counterexample found =
          failing(() -> overlap.check(situation.steps(), situation.wishes(Kind.DELIVERIES)));
      requireFound(weakness, found);
    }
  }

  private static Counterexample failing(ThrowingCallable work) {
    return requireNonNull(catchThrowableOfType(Counterexample.class, work));
  }

  private static void requireFound(Weakness weakness, @Nullable Counterexample found) {
    assertThat(found).isNotNull();
    assertThat(requireNonNull(found).wrong()).anyMatch(weakness::isSeenIn);
  }
}

package dev.fencedoutbox.it.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two transactions at once, in every situation of a row and of an ordering key. */
@Tag(Proofs.SHORTENED)
class OverlapTest {

  private static final TestDatabase DB = TestDatabase.create();

  /** What the usual build tries; where others stand, the whole proof. */
  private static final Set<Situation> BRIEFLY = Set.of(Situation.READY, Situation.LEASED);

  private static final Set<KeySituation> BRIEFLY_UNDER_A_KEY =
      Set.of(KeySituation.READY, KeySituation.OVER);

  @ParameterizedTest
  @EnumSource
  void twoStepsAtOnce_areAsOneAfterTheOther(Kind kind) throws SQLException {
    long began = System.nanoTime();
    try (Overlap overlap = new Overlap(DB, kind, dsl -> dsl)) {
      for (Situation situation : Situation.values()) {
        if (Proofs.WHOLE || BRIEFLY.contains(situation)) {
          overlap.check(situation.steps(), situation.wishes(kind));
        }
      }
      report(kind.name(), overlap, began);
      assertThat(overlap.waits()).isPositive();
    }
  }

  @Test
  void twoStepsAtOnce_underAnOrderingKey_areAsOneAfterTheOther() throws SQLException {
    long began = System.nanoTime();
    try (Overlap overlap = new Overlap(DB, Kind.DELIVERIES, dsl -> dsl)) {
      for (KeySituation situation : KeySituation.values()) {
        if (Proofs.WHOLE || BRIEFLY_UNDER_A_KEY.contains(situation)) {
          overlap.check(situation.steps(), situation.wishes());
        }
      }
      report("an ordering key", overlap, began);
      assertThat(overlap.waits()).isPositive();
    }
  }

  private static void report(String what, Overlap overlap, long began) {
    Effort.report(
        "%s: %d overlapping pairs, %d waited, %d ms"
            .formatted(
                what, overlap.pairs(), overlap.waits(), (System.nanoTime() - began) / 1_000_000));
  }
}

package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NarrowingTest {

  private static final List<Integer> THOUSAND = IntStream.range(0, 1_000).boxed().toList();

  private final List<Integer> written = new ArrayList<>();
  private final List<List<Integer>> failed = new ArrayList<>();
  private int attempts;

  private Narrowing<Integer> narrowing(Set<Integer> culprits, String sqlState) {
    return new Narrowing<>(
        Narrowing.OF_A_BATCH,
        batch -> attempt(batch, culprits, sqlState),
        (batch, fault) -> failed.add(batch));
  }

  private @Nullable Fault attempt(List<Integer> batch, Set<Integer> culprits, String sqlState) {
    attempts++;
    if (batch.stream().anyMatch(culprits::contains)) {
      return Fault.of(new SQLException("no", sqlState));
    }
    written.addAll(batch);
    return null;
  }

  @Test
  void oneCulpritOrTwo_areFoundAtOnce_andTheOthersAreWritten() {
    narrowing(Set.of(57, 700), "23505").run(THOUSAND);
    assertThat(failed).containsExactly(List.of(57), List.of(700));
    assertThat(written).hasSize(998);
  }

  @Test
  void batch_thatFailsWhole_costsABoundedNumberOfAttempts_andNoneIsForgotten() {
    Narrowing<Integer> narrowing = narrowing(Set.copyOf(THOUSAND), "42501");
    narrowing.run(THOUSAND);
    assertThat(attempts).isLessThan(40);
    assertThat(narrowing.isExhausted()).isTrue();
    assertThat(failed.stream().flatMap(List::stream)).containsExactlyElementsOf(THOUSAND);
  }

  @Test
  void culpritAmongSlowOnes_isFoundInAFewRounds() {
    List<Integer> left = THOUSAND;
    int rounds = 0;
    while (left.size() > 1) {
      failed.clear();
      attempts = 0;
      narrowing(Set.of(57), "57014").run(left);
      assertThat(attempts).as("each may take as long as it may").isLessThan(12);
      left = failed.stream().flatMap(List::stream).toList();
      rounds++;
    }
    assertThat(rounds).isLessThan(5);
    assertThat(left).containsExactly(57);
    assertThat(written).hasSize(999);
  }

  @Test
  void outage_endsItAtOnce() {
    Narrowing<Integer> narrowing = narrowing(Set.of(57), "08006");
    narrowing.run(THOUSAND);
    narrowing.run(List.of(1, 2));
    assertThat(attempts).isEqualTo(1);
    assertThat(failed).containsExactly(THOUSAND);
    assertThat(written).isEmpty();
  }
}

package dev.fencedoutbox.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.util.DriverInfo;

/** Which combinations there are, which are asked for, and what counts as having passed. */
class MatrixTest {

  private static final List<Combination> ALL =
      Combination.of(
          List.of("14.24.0", "18.6.0"), List.of("3.19.39", "3.20.18", "3.21.9"), List.of(17, 25));

  @Test
  void combinations_areAllButNewerJooqOnJava17() {
    assertThat(ALL)
        .extracting(Combination::name)
        .containsExactly(
            "14+3.19+17",
            "14+3.19+25",
            "14+3.20+25",
            "14+3.21+25",
            "18+3.19+17",
            "18+3.19+25",
            "18+3.20+25",
            "18+3.21+25");
  }

  @Test
  void only_takesWholeNamesTheirBeginningsAndStars() {
    assertThat(Selection.of(ALL, "18+3.19, 14+3.20+25"))
        .extracting(Combination::name)
        .containsExactly("14+3.20+25", "18+3.19+17", "18+3.19+25");
    assertThat(Selection.of(ALL, "*+3.21"))
        .extracting(Combination::name)
        .containsExactly("14+3.21+25", "18+3.21+25");
    assertThat(Selection.of(ALL, "")).isEqualTo(ALL);
  }

  @Test
  void only_thatMeansNothing_isRefusedAndTellsWhatThereIs() {
    for (String word : List.of("14+3.20+17", "13", "14+3.19+17+1", "14,,18")) {
      assertThatThrownBy(() -> Selection.of(ALL, word))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("means none of 14+3.19+17, 14+3.19+25");
    }
  }

  @Test
  void ran_onAnythingElseOrNothingOrWithASkipOrAFailure_hasNotPassed() {
    Combination combination = ALL.get(0);
    assertThat(passed(combination, "14.24", "3.19.39", "17.0.15", 1_800, 0, 0)).isTrue();
    assertThat(passed(combination, "14.24", "3.19.39", "17", 1_800, 0, 0)).isTrue();
    assertThat(passed(combination, "14.23", "3.19.39", "17.0.15", 1_800, 0, 0)).isFalse();
    assertThat(passed(combination, "14.24", "3.21.9", "17.0.15", 1_800, 0, 0)).isFalse();
    assertThat(passed(combination, "14.24", "3.19.39", "25.0.3", 1_800, 0, 0)).isFalse();
    assertThat(passed(combination, "14.24", "3.19.39", "17.0.15", 0, 0, 0)).isFalse();
    assertThat(passed(combination, "14.24", "3.19.39", "17.0.15", 1_800, 1, 0)).isFalse();
    assertThat(passed(combination, "14.24", "3.19.39", "17.0.15", 1_800, 0, 1)).isFalse();
  }

  /** By way of the line that one process prints and the other reads. */
  private static boolean passed(
      Combination combination,
      String postgres,
      String jooq,
      String java,
      long tests,
      long skipped,
      long failed) {
    String newest = DriverInfo.DRIVER_VERSION;
    assertThat(passed(combination, postgres, jooq, java, "42.2.0", tests, skipped, failed))
        .isFalse();
    return passed(combination, postgres, jooq, java, newest, tests, skipped, failed);
  }

  private static boolean passed(
      Combination combination,
      String postgres,
      String jooq,
      String java,
      String pgjdbc,
      long tests,
      long skipped,
      long failed) {
    Ran ran = new Ran(postgres, jooq, java, pgjdbc, tests, skipped, failed);
    return Ran.parse(ran.line()).orElseThrow().passedOn(combination);
  }
}

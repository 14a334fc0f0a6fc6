package dev.fencedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private final Turns turns = new Turns();

  private Stream<Boolean> orderedIsFirst(long at) {
    return Stream.generate(() -> turns.orderedIsFirst(at)).limit(4);
  }

  @Test
  void eachKind_isFirstInTurn() {
    turns.freeWas(false, 0, 10);
    turns.orderedWas(false, 10, 20);
    assertThat(orderedIsFirst(20)).containsExactly(false, true, false, true);
  }

  @Test
  void orderedThatHadNothing_isNotFirst_forTwentyTimesAsLongAsThatTook() {
    turns.orderedWas(true, 0, 10);
    assertThat(orderedIsFirst(209)).containsOnly(false);
    assertThat(orderedIsFirst(210)).containsExactly(false, true, false, true);
  }

  @Test
  void freeThatHadNothing_isNotFirst_forTwentyTimesAsLongAsThatTook() {
    turns.freeWas(true, 0, 10);
    assertThat(orderedIsFirst(209)).containsOnly(true);
    assertThat(orderedIsFirst(210)).containsExactly(false, true, false, true);
  }

  @Test
  void whereBothHadNothing_eachIsFirstInTurn() {
    turns.freeWas(true, 0, 10);
    turns.orderedWas(true, 10, 20);
    assertThat(orderedIsFirst(20)).containsExactly(false, true, false, true);
  }
}

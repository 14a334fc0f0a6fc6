package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AheadTest {

  @Test
  void ahead_growsWhenHandlersRunDry_andShrinksWhenSomethingWaitedInVain() {
    Ahead ahead = new Ahead(4, 20);
    assertThat(ahead.capacity()).isEqualTo(4 + 4);
    ahead.ranDry();
    assertThat(ahead.capacity()).isEqualTo(4 + 8);
    ahead.ranDry();
    ahead.ranDry();
    assertThat(ahead.capacity()).as("no more than the host allows").isEqualTo(4 + 20);
    ahead.waitedInVain();
    assertThat(ahead.capacity()).isEqualTo(4 + 10);
    for (int i = 0; i < 10; i++) {
      ahead.waitedInVain();
    }
    assertThat(ahead.capacity()).as("what handlers take at once").isEqualTo(4);
    ahead.ranDry();
    assertThat(ahead.capacity()).isEqualTo(4 + 1);
  }

  @Test
  void ahead_isNeverMoreThanTheHostAllows() {
    Ahead none = new Ahead(4, 0);
    none.ranDry();
    assertThat(none.capacity()).isEqualTo(4);
    assertThat(new Ahead(4, 2).capacity()).isEqualTo(6);
  }

  @Test
  void room_thatAClaimUnderWayMayFill_isNotGivenToAnother() {
    Ahead ahead = new Ahead(4, 4);
    assertThat(ahead.reserve(0, 5)).isEqualTo(5);
    assertThat(ahead.free(0)).isEqualTo(3);
    assertThat(ahead.reserve(0, 5)).as("the rest").isEqualTo(3);
    assertThat(ahead.reserve(0, 5)).isZero();
    ahead.giveBack(5);
    assertThat(ahead.free(5)).as("the first has brought its five").isZero();
    ahead.giveBack(3);
    assertThat(ahead.free(5)).as("the second has brought nothing").isEqualTo(3);
  }

  @Test
  void moreInHandThanFits_leavesNoRoom() {
    Ahead ahead = new Ahead(4, 4);
    ahead.waitedInVain();
    assertThat(ahead.reserve(8, 5)).isZero();
    ahead.giveBack(0);
    assertThat(ahead.free(8)).isEqualTo(-2);
  }
}

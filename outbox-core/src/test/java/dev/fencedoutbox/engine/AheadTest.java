package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    assertThat(ahead.reserve(() -> 0, 1, 5)).isEqualTo(5);
    assertThat(ahead.free(0)).isEqualTo(3);
    assertThat(ahead.reserve(() -> 0, 4, 5)).as("too few to be worth it").isZero();
    assertThat(ahead.reserve(() -> 0, 3, 5)).as("the rest").isEqualTo(3);
    assertThat(ahead.reserve(() -> 0, 1, 5)).isZero();
    ahead.giveBack(5);
    assertThat(ahead.free(5)).as("the first has brought its five").isZero();
    ahead.giveBack(3);
    assertThat(ahead.free(5)).as("the second has brought nothing").isEqualTo(3);
  }

  /** One that counted before it waited would not know what the other has brought meanwhile. */
  @Test
  void whatIsInHand_isCountedWhileNoOtherClaimCanEnd() throws Exception {
    Ahead ahead = new Ahead(4, 4);
    AtomicInteger held = new AtomicInteger();
    int first = ahead.reserve(held::get, 1, 5);
    AtomicBoolean ended = new AtomicBoolean();
    Thread ending =
        new Thread(
            () -> {
              held.set(first);
              ahead.giveBack(first);
              ended.set(true);
            });
    int second =
        ahead.reserve(
            () -> {
              int before = held.get();
              ending.start();
              while (!Set.of(State.BLOCKED, State.TERMINATED).contains(ending.getState())) {
                Thread.onSpinWait();
              }
              assertThat(ended).isFalse();
              return before;
            },
            1,
            5);
    ending.join();
    assertThat(first + second).isEqualTo(8);
  }

  @Test
  void moreInHandThanFits_leavesNoRoom() {
    Ahead ahead = new Ahead(4, 4);
    ahead.waitedInVain();
    assertThat(ahead.reserve(() -> 8, 1, 5)).isZero();
    assertThat(ahead.free(8)).isEqualTo(-2);
  }
}

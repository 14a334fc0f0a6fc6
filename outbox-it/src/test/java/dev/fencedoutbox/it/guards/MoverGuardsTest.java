package dev.fencedoutbox.it.guards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.testkit.LeaseMover;
import java.sql.Connection;
import java.util.List;
import java.util.function.BiConsumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which delivery a fault injector moves. */
class MoverGuardsTest {

  private static final TestDatabase DB = Guarded.withoutConstraints();
  private static final Guarded ROWS = Guarded.DELIVERY;

  /** A move of one row, and what must be so for it. */
  enum Move {
    EXPIRE("status = 'INPROGRESS'", LeaseMover::expire),
    MAKE_DUE("status = 'READY'", LeaseMover::makeDue);

    final String state;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    final BiConsumer<LeaseMover<Long>, Long> move;

    Move(String state, BiConsumer<LeaseMover<Long>, Long> move) {
      this.state = state;
      this.move = move;
    }

    void make(DSLContext dsl, long id) {
      move.accept(LeaseMover.on(dsl, ROWS.table()), id);
    }
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @EnumSource
  void move_ofARow_leavesTheOthersAlone(Move move) {
    List<Long> ids = ROWS.addAll(DB.dsl(), 2);
    ids.forEach(id -> ROWS.set(DB.dsl(), id, move.state));
    String other = ROWS.row(DB.dsl(), ids.get(1));

    move.make(DB.dsl(), ids.get(0));

    assertThat(ROWS.row(DB.dsl(), ids.get(1))).isEqualTo(other);
  }

  @ParameterizedTest
  @EnumSource
  void move_ofARowInAnotherState_isRefused(Move move) {
    long id = ROWS.addAll(DB.dsl(), 1).get(0);
    ROWS.set(DB.dsl(), id, "status = 'DEAD'");
    String before = ROWS.row(DB.dsl(), id);

    assertThatThrownBy(() -> move.make(DB.dsl(), id)).isInstanceOf(AssertionError.class);

    assertThat(ROWS.row(DB.dsl(), id)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void move_ofALockedRow_doesNotWait(Move move) throws Exception {
    long id = ROWS.addAll(DB.dsl(), 1).get(0);
    ROWS.set(DB.dsl(), id, move.state);
    try (Connection other = DB.connect();
        Connection impatient = DB.connect()) {
      other.setAutoCommit(false);
      ROWS.set(TestDatabase.on(other), id, "last_error = 'mine'");
      TestDatabase.on(impatient).execute("set lock_timeout = '100ms'");

      assertThatThrownBy(() -> move.make(TestDatabase.on(impatient), id))
          .isInstanceOf(AssertionError.class);
      other.rollback();
    }
  }
}

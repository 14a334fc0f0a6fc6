package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.outbox.Channel;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which DEAD deliveries each action of an operator changes. */
class OperatorGuardsTest {

  private static final TestDatabase DB = Guarded.withoutConstraints();
  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final Guarded ROWS = Guarded.DELIVERY;

  /** What an operator does to deliveries that are DEAD. */
  enum Action {
    REDRIVE,
    REDRIVE_AT_THE_TAIL,
    DISCARD,
    SKIP;

    /** Adds DEAD deliveries of ordering keys of their own. */
    List<Long> add(int count) {
      for (int i = 0; i < count; i++) {
        enqueue(DB.dsl(), message("m" + i).orderingKey("k" + i));
      }
      List<Long> ids = DB.dsl().fetch("select id from outbox.delivery order by 1").into(Long.class);
      String skipped = this == REDRIVE_AT_THE_TAIL ? ", ordering_key = null" : "";
      ids.forEach(
          id ->
              ROWS.set(
                  DB.dsl(),
                  id,
                  "status = 'DEAD', attempts = 3, last_error = 'before', next_attempt_at = '9999-12-31"
                      + " 00:00:00+00'"
                      + skipped));
      return ids;
    }

    /** The deliveries that it changed. */
    List<Long> act(DSLContext dsl, Selection selection) {
      List<Changed> changed =
          switch (this) {
            case REDRIVE, REDRIVE_AT_THE_TAIL -> DEAD.redrive(dsl, selection, ANN);
            case DISCARD -> DEAD.discard(dsl, selection, ANN);
            case SKIP -> DEAD.skip(dsl, selection, ANN);
          };
      return changed.stream().map(Changed::deliveryId).toList();
    }

    /** A context in which {@code change} is made right before the statement that acts. */
    DSLContext after(Runnable change) {
      if (this != REDRIVE_AT_THE_TAIL) {
        change.run();
        return DB.dsl();
      }
      ExecuteListener listener =
          ExecuteListener.onExecuteStart(
              ctx -> {
                if (writesAtTheTail(ctx)) {
                  change.run();
                }
              });
      return DB.dsl().configuration().deriveAppending(listener).dsl();
    }

    private static boolean writesAtTheTail(ExecuteContext ctx) {
      return String.valueOf(ctx.sql()).contains("removed_rows");
    }
  }

  /** What keeps a delivery from being changed. */
  enum Bar {
    NOT_DEAD("status = 'READY'"),
    DUE("next_attempt_at = clock_timestamp()"),
    ELSEWHERE("channel = 'elsewhere'"),
    SKIPPED_BEFORE("ordering_key = null"),
    NOT_SKIPPED("ordering_key = 'k0'");

    final String assignments;

    Bar(String assignments) {
      this.assignments = assignments;
    }

    boolean concerns(Action action) {
      return switch (this) {
        case NOT_DEAD, DUE, ELSEWHERE -> true;
        case SKIPPED_BEFORE -> action == Action.SKIP;
        case NOT_SKIPPED -> action == Action.REDRIVE_AT_THE_TAIL;
      };
    }
  }

  record Barred(Action action, Bar bar) {}

  static Stream<Barred> everyBarOfEveryAction() {
    return Stream.of(Action.values())
        .flatMap(
            action ->
                Stream.of(Bar.values())
                    .filter(bar -> bar.concerns(action))
                    .map(bar -> new Barred(action, bar)));
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @MethodSource("everyBarOfEveryAction")
  void action_onWhatIsBarred_leavesItAlone(Barred barred) {
    List<Long> ids = barred.action().add(2);
    DSLContext dsl =
        barred.action().after(() -> ROWS.set(DB.dsl(), ids.get(0), barred.bar().assignments));

    assertThat(barred.action().act(dsl, Selection.all())).isEqualTo(ids.subList(1, 2));

    assertThat(ROWS.value(DB.dsl(), ids.get(0), "(attempts, last_error)")).isEqualTo("(3,before)");
  }

  @ParameterizedTest
  @EnumSource
  void action_onOne_leavesTheOthersAlone(Action action) {
    List<Long> ids = action.add(3);
    List<String> others = List.of(ROWS.row(DB.dsl(), ids.get(0)), ROWS.row(DB.dsl(), ids.get(2)));

    assertThat(action.act(DB.dsl(), Selection.delivery(ids.get(1)))).containsExactly(ids.get(1));

    assertThat(List.of(ROWS.row(DB.dsl(), ids.get(0)), ROWS.row(DB.dsl(), ids.get(2))))
        .isEqualTo(others);
    assertThat(DB.dsl().fetchCount(OPERATOR_ACTION)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void action_onATopic_leavesTheOthersAlone(Action action) {
    List<Long> ids = action.add(2);
    DSLContext dsl =
        action.after(
            () ->
                assertThat(
                        DB.dsl()
                            .execute("update outbox.message set topic = 'x' where event_id = 'm0'"))
                    .isEqualTo(1));

    assertThat(action.act(dsl, Selection.topic("plain"))).isEqualTo(ids.subList(1, 2));
  }

  /** What it did not see when it took the locks of the keys has no lock. */
  @Test
  void redriveAtTheTail_leavesAloneWhatWasSkippedAfterItsLook() {
    List<Long> ids = Action.REDRIVE_AT_THE_TAIL.add(2);
    ROWS.set(DB.dsl(), ids.get(0), "status = 'READY'");
    DSLContext dsl =
        Action.REDRIVE_AT_THE_TAIL.after(() -> ROWS.set(DB.dsl(), ids.get(0), "status = 'DEAD'"));

    assertThat(Action.REDRIVE_AT_THE_TAIL.act(dsl, Selection.all())).isEqualTo(ids.subList(1, 2));
  }

  @ParameterizedTest
  @EnumSource
  void actionOnAll_besideALockedRow_passesItByWithoutWaiting(Action action) throws Exception {
    List<Long> ids = action.add(2);
    try (Connection other = DB.connect();
        Connection impatient = DB.connect()) {
      other.setAutoCommit(false);
      ROWS.set(TestDatabase.on(other), ids.get(0), "last_error = 'mine'");
      TestDatabase.on(impatient).execute("set lock_timeout = '100ms'");

      assertThat(action.act(TestDatabase.on(impatient), Selection.all()))
          .isEqualTo(ids.subList(1, 2));
      other.rollback();
    }
  }

  /** Otherwise the record of what was done would tell of what was no longer so. */
  @ParameterizedTest
  @EnumSource
  void actionOnOne_thatIsLocked_waitsAndWritesDownWhatItFindsThen(Action action) throws Exception {
    long id = action.add(1).get(0);
    try (Together together = new Together();
        Connection waiting = DB.connect()) {
      DSLContext dsl = TestDatabase.on(waiting);
      int pid = Together.pid(dsl);
      Future<List<Long>> changed =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    ROWS.set(tx.dsl(), id, "last_error = 'after'");
                    Future<List<Long>> started =
                        together.start(() -> action.act(dsl, Selection.delivery(id)));
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      assertThat(Together.resultOf(changed)).containsExactly(id);
    }
    assertThat(DB.dsl().fetchSingle(OPERATOR_ACTION).getLastError()).isEqualTo("after");
  }

  @ParameterizedTest
  @EnumSource
  void actionOnAll_writesDownEachOnceWithItsOwnNumbers(Action action) {
    List<Long> ids = action.add(3);
    ids.forEach(id -> ROWS.set(DB.dsl(), id, "epoch = " + id));

    assertThat(action.act(DB.dsl(), Selection.all())).isEqualTo(ids);

    assertThat(
            DB.dsl().fetch("select epoch from outbox.operator_action order by 1").into(Long.class))
        .isEqualTo(ids);
  }
}

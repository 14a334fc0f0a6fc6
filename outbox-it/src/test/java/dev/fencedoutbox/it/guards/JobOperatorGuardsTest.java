package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.guards.Guarded.JOBS;
import static dev.fencedoutbox.schema.Tables.JOB_ACTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.job.RedriveOutcome;
import dev.fencedoutbox.operate.Operator;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.Future;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which DEAD jobs a redrive changes. */
class JobOperatorGuardsTest {

  private static final TestDatabase DB = Guarded.withoutConstraints();
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final Guarded ROWS = Guarded.JOB;

  /** What keeps a job from being redriven. */
  enum Bar {
    NOT_DEAD("status = 'READY'"),
    DUE("next_attempt_at = clock_timestamp()"),
    ENDED("ended_at = clock_timestamp()"),
    OF_ANOTHER_KIND("kind = 'another'");

    final String assignments;

    Bar(String assignments) {
      this.assignments = assignments;
    }
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static List<Long> dead(int count) {
    List<Long> ids = ROWS.addAll(DB.dsl(), count);
    ids.forEach(
        id ->
            ROWS.set(
                DB.dsl(),
                id,
                "status = 'DEAD', attempts = 3, last_error = 'before', next_attempt_at = '9999-12-31"
                    + " 00:00:00+00'"));
    return ids;
  }

  @ParameterizedTest
  @EnumSource
  void redrive_ofAJobThatIsBarred_leavesItAlone(Bar bar) {
    List<Long> ids = dead(2);
    ROWS.set(DB.dsl(), ids.get(0), bar.assignments);
    String before = ROWS.row(DB.dsl(), ids.get(0));

    assertThat(JOBS.dead().redrive(DB.dsl(), "row0", ANN)).isNotEqualTo(RedriveOutcome.REDRIVEN);
    assertThat(JOBS.dead().redriveAll(DB.dsl(), 10, ANN)).isEqualTo(ids.subList(1, 2));

    assertThat(ROWS.row(DB.dsl(), ids.get(0))).isEqualTo(before);
  }

  @Test
  void redrive_ofOne_leavesTheOthersAlone() {
    List<Long> ids = dead(3);
    ids.forEach(id -> ROWS.set(DB.dsl(), id, "epoch = " + id));
    List<String> others = List.of(ROWS.row(DB.dsl(), ids.get(0)), ROWS.row(DB.dsl(), ids.get(2)));

    assertThat(JOBS.dead().redrive(DB.dsl(), "row1", ANN)).isEqualTo(RedriveOutcome.REDRIVEN);

    assertThat(List.of(ROWS.row(DB.dsl(), ids.get(0)), ROWS.row(DB.dsl(), ids.get(2))))
        .isEqualTo(others);
    assertThat(DB.dsl().fetchSingle(JOB_ACTION).getEpoch()).isEqualTo(ids.get(1));
  }

  @Test
  void redriveAll_besideALockedJob_passesItByWithoutWaiting() throws Exception {
    List<Long> ids = dead(2);
    try (Connection other = DB.connect();
        Connection impatient = DB.connect()) {
      other.setAutoCommit(false);
      ROWS.set(TestDatabase.on(other), ids.get(0), "last_error = 'mine'");
      TestDatabase.on(impatient).execute("set lock_timeout = '100ms'");

      assertThat(JOBS.dead().redriveAll(TestDatabase.on(impatient), 10, ANN))
          .isEqualTo(ids.subList(1, 2));
      other.rollback();
    }
  }

  @Test
  void redrive_ofAJobThatIsLocked_waitsAndWritesDownWhatItFindsThen() throws Exception {
    long id = dead(1).get(0);
    try (Together together = new Together();
        Connection waiting = DB.connect()) {
      DSLContext dsl = TestDatabase.on(waiting);
      int pid = Together.pid(dsl);
      Future<RedriveOutcome> outcome =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    ROWS.set(tx.dsl(), id, "last_error = 'after'");
                    Future<RedriveOutcome> started =
                        together.start(() -> JOBS.dead().redrive(dsl, "row0", ANN));
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      assertThat(Together.resultOf(outcome)).isEqualTo(RedriveOutcome.REDRIVEN);
    }
    assertThat(DB.dsl().fetchSingle(JOB_ACTION).getLastError()).isEqualTo("after");
  }
}

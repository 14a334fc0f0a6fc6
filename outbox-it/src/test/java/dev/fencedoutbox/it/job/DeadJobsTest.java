package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.B;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.claim;
import static dev.fencedoutbox.it.job.Counts.claimed;
import static dev.fencedoutbox.it.job.Counts.submit;
import static dev.fencedoutbox.it.job.Counts.view;
import static dev.fencedoutbox.schema.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.JOB_ACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.DeadJobs;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.RedriveOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.schema.enums.JobStatus;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import dev.fencedoutbox.schema.tables.records.JobActionRecord;
import java.sql.Connection;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadJobsTest {
  static final TestDatabase DB = TestDatabase.create();
  static final Operator ANN = new Operator("ann", "ticket 17");

  private static final DeadJobs<Integer, Integer, Integer> DEAD = COUNTS.dead();

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private long dead(String key) {
    Lease<Long> lease = claimed(dsl, key);
    assertThat(COUNTS.checkpoint(dsl, lease, 3)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(A.bury(dsl, lease, "hopeless")).isEqualTo(LeaseOutcome.ACCEPTED);
    return lease.key();
  }

  // Case 34, of jobs
  @Test
  void redrive_givesFreshAttempts_andTheEpochGoesOn() {
    long id = dead("k");

    assertThat(DEAD.redrive(dsl, "k", ANN)).isEqualTo(RedriveOutcome.REDRIVEN);

    JobView<Integer, Integer, Integer> view = view(dsl, id);
    assertThat(view.status()).isEqualTo(JobStatus.READY);
    assertThat(view.attempts()).isZero();
    assertThat(view.epoch()).isEqualTo(1);
    Lease<Long> next = claim(dsl, B, id);
    assertThat(next.epoch().value()).isEqualTo(2);
    assertThat(next.attempts()).isEqualTo(1);
    assertThat(view(dsl, id).checkpoint()).hasValue(3);
    assertThat(COUNTS.finish(dsl, next, 10)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  @Test
  void redrive_isWrittenDownByTheStatementThatDoesIt() throws Exception {
    long id = dead("k");
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      assertThat(DEAD.redrive(TestDatabase.on(connection), "k", ANN))
          .isEqualTo(RedriveOutcome.REDRIVEN);
      connection.rollback();
    }
    assertThat(dsl.fetchCount(JOB_ACTION)).isZero();
    assertThat(view(dsl, id).status()).isEqualTo(JobStatus.DEAD);

    assertThat(DEAD.redrive(dsl, "k", ANN)).isEqualTo(RedriveOutcome.REDRIVEN);

    JobActionRecord action = dsl.fetchSingle(JOB_ACTION);
    assertThat(action.getJobId()).isEqualTo(id);
    assertThat(action.getVerb()).isEqualTo(OperatorVerb.REDRIVE);
    assertThat(action.getKind()).isEqualTo("count");
    assertThat(action.getJobKey()).isEqualTo("k");
    assertThat(action.getEpoch()).isEqualTo(1);
    assertThat(action.getAttempts()).isEqualTo(1);
    assertThat(action.getLastError()).isEqualTo("hopeless");
    assertThat(action.getWho()).isEqualTo("ann");
    assertThat(action.getWhy()).isEqualTo("ticket 17");
  }

  @Test
  void redrive_ofAJobThatIsNotDead_orNotThere_changesNothing() {
    submit(dsl, "waiting");
    assertThat(COUNTS.finish(dsl, claimed(dsl, "done"), 1)).isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(DEAD.redrive(dsl, "waiting", ANN)).isEqualTo(RedriveOutcome.NOT_DEAD);
    assertThat(DEAD.redrive(dsl, "done", ANN)).isEqualTo(RedriveOutcome.NOT_DEAD);
    assertThat(DEAD.redrive(dsl, "nowhere", ANN)).isEqualTo(RedriveOutcome.ABSENT);

    assertThat(dsl.fetchCount(JOB_ACTION)).isZero();
  }

  @Test
  void redriveAll_takesTheOldestOfItsKind_upToItsBound() {
    List<Long> ids = List.of(dead("c"), dead("b"), dead("a"));
    submit(dsl, "waiting");
    dsl.update(JOB).set(JOB.KIND, "other").where(JOB.ID.eq(ids.get(1))).execute();

    assertThat(DEAD.list(dsl, 10)).extracting(JobView::key).containsExactly("c", "a");
    assertThat(DEAD.redriveAll(dsl, 1, ANN)).containsExactly(ids.get(0));
    assertThat(DEAD.redriveAll(dsl, 10, ANN)).containsExactly(ids.get(2));
    assertThat(DEAD.redriveAll(dsl, 10, ANN)).isEmpty();

    assertThat(view(dsl, ids.get(2)).status()).isEqualTo(JobStatus.READY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEAD.redriveAll(dsl, 0, ANN))
        .withMessage("limit must be 1 to 10,000 and is 0. Nothing was sent.");
  }

  @Test
  void redriveAll_besideAnotherOperator_passesByWhatThatOneHas() throws Exception {
    long first = dead("a");
    long second = dead("b");
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      assertThat(DEAD.redriveAll(TestDatabase.on(connection), 1, ANN)).containsExactly(first);

      assertThat(DEAD.redriveAll(dsl, 10, new Operator("bob", "same"))).containsExactly(second);
      connection.commit();
    }
    assertThat(dsl.fetchCount(JOB_ACTION)).isEqualTo(2);
  }
}

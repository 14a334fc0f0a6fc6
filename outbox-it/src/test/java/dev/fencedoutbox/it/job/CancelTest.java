package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.B;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.claimed;
import static dev.fencedoutbox.it.job.Counts.submit;
import static dev.fencedoutbox.it.job.Counts.view;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Together.awaitBlocked;
import static dev.fencedoutbox.it.support.Together.pid;
import static dev.fencedoutbox.it.support.Together.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CancelTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void cancel_ofAJobInProgress_refusesItsHolderFromThenOn_andItsEpochStays() {
    Lease<Long> lease = claimed(dsl, "k");
    assertThat(COUNTS.checkpoint(dsl, lease, 3)).isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(COUNTS.cancel(dsl, "k", "the customer left")).isEqualTo(CancelOutcome.CANCELLED);

    assertThat(A.renew(dsl, lease, Duration.ofHours(1)))
        .isEqualTo(new RenewOutcome.Refused<>(lease, LeaseOutcome.SETTLED));
    assertThat(COUNTS.finish(dsl, lease, 10)).isEqualTo(LeaseOutcome.SETTLED);
    JobView<Integer, Integer, Integer> view = view(dsl, lease.key());
    assertThat(view.status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(view.cancelReason()).hasValue("the customer left");
    assertThat(view.epoch()).isEqualTo(1);
    assertThat(view.checkpoint()).hasValue(3);
    assertThat(view.endedAt()).isPresent();
    assertThat(view.result()).isEmpty();
    assertThat(B.claimByKey(dsl, COUNTS.table(), LONG, lease.key()).isEmpty()).isTrue();
  }

  @Test
  void cancel_ofAJobThatWaits_orIsDead_keepsItFromBeingDone() {
    long waiting = submit(dsl, "waiting");
    Lease<Long> dead = claimed(dsl, "dead");
    assertThat(A.bury(dsl, dead, "hopeless")).isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(COUNTS.cancel(dsl, waiting, "no")).isEqualTo(CancelOutcome.CANCELLED);
    assertThat(COUNTS.cancel(dsl, dead.key(), "no")).isEqualTo(CancelOutcome.CANCELLED);

    assertThat(A.claim(dsl, COUNTS.table(), LONG, 10).isEmpty()).isTrue();
    assertThat(COUNTS.dead().redriveAll(dsl, 10, DeadJobsTest.ANN)).isEmpty();
    assertThat(view(dsl, dead.key()).lastError()).hasValue("hopeless");
  }

  @Test
  void cancel_ofAJobThatHasEnded_changesNothing() {
    Lease<Long> lease = claimed(dsl, "k");
    assertThat(COUNTS.finish(dsl, lease, 10)).isEqualTo(LeaseOutcome.ACCEPTED);
    long cancelled = submit(dsl, "cancelled");
    assertThat(COUNTS.cancel(dsl, cancelled, "first")).isEqualTo(CancelOutcome.CANCELLED);

    assertThat(COUNTS.cancel(dsl, "k", "late")).isEqualTo(CancelOutcome.ENDED);
    assertThat(COUNTS.cancel(dsl, cancelled, "second")).isEqualTo(CancelOutcome.ENDED);

    assertThat(view(dsl, lease.key()).result()).hasValue(10);
    assertThat(view(dsl, cancelled).cancelReason()).hasValue("first");
  }

  @Test
  void cancel_ofAJobThatIsNotThere_orOfAnotherKind_saysSo() {
    long id = submit(dsl, "k");
    var plain = Jobs.of(Counts.PLAIN);

    assertThat(COUNTS.cancel(dsl, "another", "no")).isEqualTo(CancelOutcome.ABSENT);
    assertThat(plain.cancel(dsl, id, "no")).isEqualTo(CancelOutcome.ABSENT);
    assertThat(plain.find(dsl, id)).isEmpty();
    assertThat(view(dsl, id).status()).isEqualTo(JobStatus.READY);
  }

  @Test
  void cancel_ofAJobThatIsSubmittedMeanwhile_cancelsIt() {
    AtomicBoolean once = new AtomicBoolean();
    DSLContext submittedAfterTheFirstStatement =
        dsl.configuration()
            .deriveAppending(
                ExecuteListener.onEnd(
                    statement -> {
                      if (!once.getAndSet(true)) {
                        submit(dsl, "k");
                      }
                    }))
            .dsl();

    assertThat(COUNTS.cancel(submittedAfterTheFirstStatement, "k", "no"))
        .isEqualTo(CancelOutcome.CANCELLED);
    assertThat(COUNTS.find(dsl, "k").orElseThrow().status()).isEqualTo(JobStatus.CANCELLED);
  }

  /** Whoever comes first; the other one is told. */
  @Test
  void cancel_besideAnOpenFinish_waitsForItsEnd() throws Exception {
    Lease<Long> lease = claimed(dsl, "k");
    try (Connection worker = DB.connect();
        Connection submitter = DB.connect();
        Together together = new Together()) {
      worker.setAutoCommit(false);
      assertThat(COUNTS.finish(TestDatabase.on(worker), lease, 10))
          .isEqualTo(LeaseOutcome.ACCEPTED);
      int pid = pid(TestDatabase.on(submitter));
      Future<CancelOutcome> cancel =
          together.start(() -> COUNTS.cancel(TestDatabase.on(submitter), "k", "late"));
      awaitBlocked(dsl, pid);
      worker.commit();

      assertThat(resultOf(cancel)).isEqualTo(CancelOutcome.ENDED);
    }
    assertThat(view(dsl, lease.key()).status()).isEqualTo(JobStatus.DONE);
  }
}

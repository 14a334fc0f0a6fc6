package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.B;
import static dev.fencedoutbox.it.job.Counts.COUNT;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.PLAIN;
import static dev.fencedoutbox.it.job.Counts.claimed;
import static dev.fencedoutbox.it.job.Counts.expire;
import static dev.fencedoutbox.it.job.Counts.takenOver;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.Submitted;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.RenewOutcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Article 002: not only the result, every write about a job is fenced. */
class RefusalTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();

  /** What became of A's claim, without A. */
  enum Situation {
    EXPIRED("EXPIRED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        expire(dsl, ofA.key());
      }
    },
    TAKEN_OVER("SUPERSEDED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(takenOver(dsl, ofA.key()).epoch().value()).isEqualTo(2);
      }
    },
    DONE_BY_ANOTHER("SUPERSEDED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(COUNTS.finish(dsl, takenOver(dsl, ofA.key()), 2).accepted()).isTrue();
      }
    },
    DONE_BEFORE("SETTLED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(COUNTS.finish(dsl, ofA, 1).accepted()).isTrue();
      }
    },
    RELEASED_BEFORE("SETTLED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(A.release(dsl, ofA).accepted()).isTrue();
      }
    },
    CANCELLED("SETTLED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(COUNTS.cancel(dsl, ofA.key(), "not wanted")).isEqualTo(CancelOutcome.CANCELLED);
      }
    },
    REDRIVEN("SETTLED") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        assertThat(A.bury(dsl, ofA, "hopeless").accepted()).isTrue();
        assertThat(COUNTS.dead().redriveAll(dsl, 1, DeadJobsTest.ANN)).hasSize(1);
      }
    },
    DELETED("GONE") {
      @Override
      void arise(DSLContext dsl, Lease<Long> ofA) {
        dsl.deleteFrom(JOB).execute();
      }
    };

    private final String reason;

    Situation(String reason) {
      this.reason = reason;
    }

    abstract void arise(DSLContext dsl, Lease<Long> ofA);
  }

  static Stream<Arguments> lateWrites() {
    return Stream.of(Situation.values())
        .flatMap(
            situation -> Stream.of(Write.values()).map(write -> Arguments.of(situation, write)));
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource
  void lateWrites(Situation situation, Write write) {
    Lease<Long> ofA = claimed(dsl, "k");
    assertThat(COUNTS.checkpoint(dsl, ofA, 3)).isEqualTo(LeaseOutcome.ACCEPTED);
    situation.arise(dsl, ofA);
    List<String> before = ApiCall.rows(dsl);

    assertThat(write.on(dsl, ofA)).isEqualTo(write.refusal(situation.reason));

    assertThat(ApiCall.rows(dsl)).isEqualTo(before);
  }

  /** And without any of that, each of them is accepted. */
  @ParameterizedTest
  @EnumSource
  void write_underALiveLease_isAccepted(Write write) {
    Lease<Long> ofA = claimed(dsl, "k");
    List<String> before = ApiCall.rows(dsl);

    assertThat(write.on(dsl, ofA)).isEqualTo(write.refusal("").isEmpty() ? "ACCEPTED" : "APPLIED");

    assertThat(ApiCall.rows(dsl)).isNotEqualTo(before);
  }

  @Test
  void claim_thatUsesUpTheBudget_buriesTheJobForThoseWhoWait() {
    Lease<Long> ofA = claimed(dsl, "k");
    expire(dsl, ofA.key());

    assertThat(B.claim(dsl, COUNTS.table(), LONG.withAttemptBudget(1), 10).buried()).hasSize(1);

    assertThat(Counts.view(dsl, ofA.key()).isOver()).isTrue();
    assertThat(Counts.view(dsl, ofA.key()).lastError())
        .hasValueSatisfying(error -> assertThat(error).startsWith("The attempt budget of 1 is"));
  }

  @Test
  void write_underALeaseOfAnotherKind_isRefusedBeforeSql() {
    Submitted submitted =
        dsl.transactionResult(
            tx -> Jobs.of(PLAIN).submit(tx.dsl(), PLAIN.job(JSONB.valueOf("{}"))));
    Lease<Long> plain = only(A.claimByKey(dsl, Jobs.of(PLAIN).table(), LONG, submitted.id()));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> COUNTS.checkpoint(dsl, plain, 1))
        .withMessageContaining("is not on a job of kind count. Nothing was sent.");
    assertThatIllegalArgumentException().isThrownBy(() -> COUNTS.finish(dsl, plain, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> COUNTS.finishAll(dsl, List.of(new Finished<>(plain, 1))));
    assertThat(Jobs.of(PLAIN).finish(dsl, plain, JSONB.valueOf("{}")))
        .isEqualTo(LeaseOutcome.ACCEPTED);
  }

  @Test
  void renewedLease_andOtherInstancesOfTheSameKind_areTheSameClaim() {
    Lease<Long> ofA = claimed(dsl, "k");
    assertThat(A.renew(dsl, ofA, Duration.ofHours(1))).isInstanceOf(RenewOutcome.Renewed.class);

    assertThat(Jobs.of(COUNT).withoutPayloadLog().checkpoint(dsl, ofA, 1))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(Jobs.of(COUNT).finish(dsl, ofA, 1)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(claimOfDone(ofA.key())).isTrue();
  }

  private boolean claimOfDone(long id) {
    return B.claimByKey(dsl, COUNTS.table(), LONG, id).isEmpty() && claim(dsl).isEmpty();
  }

  private static List<Object> claim(DSLContext dsl) {
    return List.copyOf(B.claim(dsl, COUNTS.table(), LONG, 10).claimed());
  }
}

package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.COUNT;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.PLAIN;
import static dev.fencedoutbox.it.job.Counts.submit;
import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Together.awaitBlocked;
import static dev.fencedoutbox.it.support.Together.pid;
import static dev.fencedoutbox.it.support.Together.resultOf;
import static dev.fencedoutbox.schema.Tables.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.NewJob;
import dev.fencedoutbox.job.SubmitOutcome;
import dev.fencedoutbox.job.Submitted;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void submit_isPartOfTheCallersTransaction() throws Exception {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      DSLContext tx = TestDatabase.on(connection);
      assertThat(COUNTS.submit(tx, COUNT.job(3).key("k")).outcome())
          .isEqualTo(SubmitOutcome.CREATED);
      assertThat(COUNTS.find(tx, "k")).isPresent();
      assertThat(COUNTS.find(dsl, "k")).isEmpty();
      connection.rollback();
    }
    assertThat(COUNTS.find(dsl, "k")).isEmpty();

    JobView<Integer, Integer, Integer> view = Counts.view(dsl, submit(dsl, "k"));

    assertThat(view.key()).isEqualTo("k");
    assertThat(view.input()).isEqualTo(10);
    assertThat(view.status()).isEqualTo(JobStatus.READY);
    assertThat(view.attempts()).isZero();
    assertThat(view.epoch()).isZero();
    assertThat(view.dueAt()).hasValue(view.submittedAt());
    assertThat(view.checkpoint()).isEmpty();
    assertThat(view.result()).isEmpty();
    assertThat(view.endedAt()).isEmpty();
  }

  @Test
  void submit_ofAKeyThatIsThere_isADuplicateWithItsId_andTheTransactionGoesOn() {
    long id = submit(dsl, "k");

    Submitted again =
        dsl.transactionResult(
            tx -> {
              tx.dsl()
                  .insertInto(
                      CUSTOMER_ORDER,
                      CUSTOMER_ORDER.ID,
                      CUSTOMER_ORDER.CUSTOMER,
                      CUSTOMER_ORDER.AMOUNT)
                  .values("order", "ann", BigDecimal.ONE)
                  .execute();
              return COUNTS.submit(tx.dsl(), COUNT.job(99).key("k"));
            });

    assertThat(again).isEqualTo(new Submitted(id, "k", SubmitOutcome.DUPLICATE));
    assertThat(Counts.view(dsl, id).input()).isEqualTo(10);
    assertThat(dsl.fetchCount(CUSTOMER_ORDER)).isEqualTo(1);
  }

  @Test
  void submit_ofAJobThatIsDone_isADuplicate_andOfAnotherKindIsNot() {
    long id = submit(dsl, "k");
    assertThat(COUNTS.finish(dsl, Counts.claim(dsl, A, id), 10).accepted()).isTrue();

    Submitted again = dsl.transactionResult(tx -> COUNTS.submit(tx.dsl(), COUNT.job(1).key("k")));
    Submitted other =
        dsl.transactionResult(
            tx -> Jobs.of(PLAIN).submit(tx.dsl(), PLAIN.job(JSONB.valueOf("null")).key("k")));

    assertThat(again).isEqualTo(new Submitted(id, "k", SubmitOutcome.DUPLICATE));
    assertThat(other.outcome()).isEqualTo(SubmitOutcome.CREATED);
  }

  @Test
  void submitAll_tellsOfEach_inTheOrderGiven() {
    long there = submit(dsl, "b");

    List<Submitted> all =
        dsl.transactionResult(
            tx ->
                COUNTS.submitAll(
                    tx.dsl(), List.of(job("c", 1), job("b", 2), job("a", 3), job("c", 4))));

    assertThat(all)
        .extracting(Submitted::key, Submitted::outcome)
        .containsExactly(
            tuple("c", SubmitOutcome.CREATED),
            tuple("b", SubmitOutcome.DUPLICATE),
            tuple("a", SubmitOutcome.CREATED),
            tuple("c", SubmitOutcome.DUPLICATE));
    assertThat(all.get(1).id()).isEqualTo(there);
    assertThat(all.get(3).id()).isEqualTo(all.get(0).id());
    assertThat(Counts.view(dsl, all.get(0).id()).input()).isEqualTo(1);
    assertThat(COUNTS.submitAll(dsl, List.of())).isEmpty();
  }

  private static NewJob job(String key, int input) {
    return COUNT.job(input).key(key);
  }

  @ParameterizedTest(name = "and the first commits: {0}")
  @ValueSource(booleans = {true, false})
  void submit_besideAnOpenSubmissionOfItsKey_waitsForItsEnd(boolean commits) throws Exception {
    try (Connection first = DB.connect();
        Connection second = DB.connect();
        Together together = new Together()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      long id = COUNTS.submit(TestDatabase.on(first), job("k", 1)).id();
      int pid = pid(TestDatabase.on(second));
      Future<Submitted> waiting =
          together.start(() -> COUNTS.submit(TestDatabase.on(second), job("k", 2)));
      awaitBlocked(dsl, pid);
      if (commits) {
        first.commit();
      } else {
        first.rollback();
      }

      Submitted submitted = resultOf(waiting);
      second.commit();

      assertThat(submitted.outcome())
          .isEqualTo(commits ? SubmitOutcome.DUPLICATE : SubmitOutcome.CREATED);
      assertThat(submitted.id() == id).isEqualTo(commits);
      assertThat(Counts.view(dsl, submitted.id()).input()).isEqualTo(commits ? 1 : 2);
    }
  }

  @Test
  void submit_outsideATransaction_isRefusedUnlessAllowed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> COUNTS.submit(dsl, job("k", 1)))
        .withMessageStartingWith("Jobs.submit was called outside a transaction")
        .withMessageEndingWith("or allow it with Jobs.withoutTransactionCheck().");
    assertThat(dsl.fetchCount(JOB)).isZero();

    assertThat(COUNTS.withoutTransactionCheck().submit(dsl, job("k", 1)).outcome())
        .isEqualTo(SubmitOutcome.CREATED);
  }

  @Test
  void submit_ofAnotherKindsJob_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> COUNTS.submit(dsl, PLAIN.job(JSONB.valueOf("1")).key("k")))
        .withMessage(
            "The job k of kind plain cannot be submitted to those of kind count. Nothing was sent."
                + " Submit it to Jobs.of its own kind.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "\"\\u0000\"", "[1,]"})
  void job_whoseInputCannotBeStored_isRefusedBeforeSql(String json) {
    assertThatIllegalArgumentException().isThrownBy(() -> PLAIN.job(JSONB.valueOf(json)));
  }

  @Test
  void job_thatIsToWait_isNotClaimedBefore() {
    Submitted submitted =
        dsl.transactionResult(
            tx -> COUNTS.submit(tx.dsl(), job("k", 1).after(Duration.ofHours(1))));

    assertThat(A.claim(dsl, COUNTS.table(), LONG, 10).isEmpty()).isTrue();
    JobView<Integer, Integer, Integer> view = Counts.view(dsl, submitted.id());
    assertThat(view.dueAt()).hasValue(view.submittedAt().plusHours(1));
  }

  @Test
  void claim_takesTheOldestOfItsKind() {
    dsl.transaction(
        tx -> {
          Submitted unused = Jobs.of(PLAIN).submit(tx.dsl(), PLAIN.job(JSONB.valueOf("1")));
        });
    long first = submit(dsl, "z");
    long second = submit(dsl, "a");

    assertThat(A.claim(dsl, COUNTS.table(), LONG, 1).claimed())
        .singleElement()
        .satisfies(
            claimed -> {
              assertThat(claimed.lease().key()).isEqualTo(first);
              assertThat(claimed.row().key()).isEqualTo("z");
              assertThat(claimed.row().input()).isEqualTo(10);
              assertThat(claimed.row().status()).isEqualTo(JobStatus.INPROGRESS);
              assertThat(claimed.row().attempts()).isEqualTo(1);
            });
    assertThat(A.claim(dsl, COUNTS.table(), LONG, 10).claimed())
        .extracting(claimed -> claimed.lease().key())
        .containsExactly(second);
    assertThat(A.claim(dsl, Jobs.of(PLAIN).table(), LONG, 10).claimed()).hasSize(1);
  }
}

package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.app.ShopJobs.storingOnce;
import static dev.fencedoutbox.it.job.Counts.A;
import static dev.fencedoutbox.it.job.Counts.B;
import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.claimed;
import static dev.fencedoutbox.it.job.Counts.takenOver;
import static dev.fencedoutbox.it.job.Counts.view;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.DeliveryIntent;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002: result, state, effect and delivery intent share one database boundary. */
class FinishTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Outbox OUTBOX = Outbox.create();

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void finish_storesTheResultAndEndsTheJob() {
    Lease<Long> lease = claimed(dsl, "k");

    assertThat(COUNTS.finish(dsl, lease, 42)).isEqualTo(LeaseOutcome.ACCEPTED);

    JobView<Integer, Integer, Integer> view = view(dsl, lease.key());
    assertThat(view.status()).isEqualTo(JobStatus.DONE);
    assertThat(view.result()).hasValue(42);
    assertThat(view.endedAt()).isPresent();
    assertThat(view.dueAt()).isEmpty();
    assertThat(view.leaseOwner()).isEmpty();
    assertThat(view.leaseUntil()).isEmpty();
    assertThat(view.epoch()).isEqualTo(1);
  }

  @Test
  void finish_withoutAResult_andLeasesComplete_endTheJobWithoutOne() {
    Lease<Long> first = claimed(dsl, "a");
    Lease<Long> second = claimed(dsl, "b");

    assertThat(COUNTS.finish(dsl, first, null)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(A.complete(dsl, second)).isEqualTo(LeaseOutcome.ACCEPTED);

    for (Lease<Long> lease : List.of(first, second)) {
      assertThat(view(dsl, lease.key()).status()).isEqualTo(JobStatus.DONE);
      assertThat(view(dsl, lease.key()).result()).isEmpty();
      assertThat(view(dsl, lease.key()).endedAt()).isPresent();
    }
  }

  @Test
  void finish_withAnEffect_hasThreeOutcomes() {
    Lease<Long> ofA = claimed(dsl, "k");
    Lease<Long> ofB = takenOver(dsl, ofA.key());

    assertThat(COUNTS.finish(dsl, ofA, 1, storing("A"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(dsl.fetchCount(EFFECT)).isZero();
    assertThat(view(dsl, ofA.key()).status()).isEqualTo(JobStatus.INPROGRESS);

    assertThat(COUNTS.finish(dsl, ofB, 2, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
    assertThat(view(dsl, ofA.key()).result()).hasValue(2);

    assertThat(COUNTS.finish(dsl, ofA, 1, storing("A"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("B");
    assertThat(view(dsl, ofA.key()).result()).hasValue(2);
  }

  @Test
  void finish_whoseEffectIsThereAlready_isADuplicate_andTheJobIsDone() {
    Lease<Long> lease = claimed(dsl, "k");
    dsl.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE).values(lease.key(), "before").execute();

    assertThat(COUNTS.finish(dsl, lease, 2, storingOnce("after")))
        .isEqualTo(EffectOutcome.DUPLICATE);

    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("before");
    assertThat(view(dsl, lease.key()).result()).hasValue(2);
  }

  @Test
  void finishAll_givesEachItsOwnResult_andTellsOfEachInOrder() {
    List<Lease<Long>> leases = IntStream.range(0, 5).mapToObj(i -> claimed(dsl, "k" + i)).toList();
    takenOver(dsl, leases.get(1).key());
    assertThat(B.claim(dsl, COUNTS.table(), Fixtures.LONG, 10).isEmpty()).isTrue();
    List<Finished<Long, Integer>> finished =
        List.of(
            new Finished<>(leases.get(4), 40),
            new Finished<>(leases.get(1), 10),
            new Finished<>(leases.get(0), null),
            new Finished<>(leases.get(3), 30));

    assertThat(COUNTS.finishAll(dsl, finished))
        .containsExactly(
            LeaseOutcome.ACCEPTED,
            LeaseOutcome.SUPERSEDED,
            LeaseOutcome.ACCEPTED,
            LeaseOutcome.ACCEPTED);

    assertThat(leases)
        .extracting(lease -> view(dsl, lease.key()).result().orElse(-1))
        .containsExactly(-1, -1, -1, 30, 40);
    assertThat(leases)
        .extracting(lease -> view(dsl, lease.key()).status())
        .containsExactly(
            JobStatus.DONE,
            JobStatus.INPROGRESS,
            JobStatus.INPROGRESS,
            JobStatus.DONE,
            JobStatus.DONE);
    assertThat(COUNTS.finishAll(dsl, List.of())).isEmpty();
  }

  @Test
  void intent_ofALateWorker_enqueuesNothing_andTheAcceptedOneOnce() {
    Lease<Long> ofA = claimed(dsl, "k");
    Lease<Long> ofB = takenOver(dsl, ofA.key());

    assertThat(intend(ofA, intent("from A"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(intend(ofA, intent("from A").beside(storing("A")))).isEqualTo(EffectOutcome.FENCED);
    assertThat(dsl.fetchCount(MESSAGE)).isZero();

    assertThat(intend(ofB, intent("from B").beside(storing("B")))).isEqualTo(EffectOutcome.APPLIED);
    assertThat(intend(ofB, intent("again"))).isEqualTo(EffectOutcome.FENCED);
    assertThat(intend(ofA, intent("from A"))).isEqualTo(EffectOutcome.FENCED);

    assertThat(dsl.fetch(MESSAGE)).extracting(row -> row.getEventId()).containsExactly("from B");
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(1);
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("B");
    assertThat(view(dsl, ofA.key()).result()).hasValue(7);
  }

  @Test
  void intent_thatRollsBack_forgetsBoth() throws Exception {
    Lease<Long> lease = claimed(dsl, "k");
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      assertThat(COUNTS.finish(TestDatabase.on(connection), lease, 7, intent("said")))
          .isEqualTo(EffectOutcome.APPLIED);
      connection.rollback();
    }
    assertThat(dsl.fetchCount(MESSAGE)).isZero();
    assertThat(view(dsl, lease.key()).status()).isEqualTo(JobStatus.INPROGRESS);

    assertThat(intend(lease, intent("said"))).isEqualTo(EffectOutcome.APPLIED);
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(1);
  }

  @Test
  void intent_whoseEventsAreKnown_orWhoseEffectIsThere_isADuplicate_andTheJobIsDone() {
    Fixtures.enqueue(dsl, message("known"));
    Lease<Long> first = claimed(dsl, "a");
    Lease<Long> second = claimed(dsl, "b");
    dsl.insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE).values(second.key(), "before").execute();

    assertThat(intend(first, intent("known"))).isEqualTo(EffectOutcome.DUPLICATE);
    assertThat(intend(second, intent("new").beside(storingOnce("after"))))
        .isEqualTo(EffectOutcome.DUPLICATE);

    assertThat(view(dsl, first.key()).status()).isEqualTo(JobStatus.DONE);
    assertThat(view(dsl, second.key()).status()).isEqualTo(JobStatus.DONE);
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(2);
  }

  @Test
  void intent_outsideATransaction_isRefused_whateverTheOutboxAllows() {
    Lease<Long> lease = claimed(dsl, "k");
    DeliveryIntent intent = DeliveryIntent.of(OUTBOX.withoutTransactionCheck(), message("said"));

    assertThatIllegalStateException()
        .isThrownBy(() -> COUNTS.finish(dsl, lease, 7, intent))
        .withMessageStartingWith("Jobs.finish with messages was called outside a transaction");

    assertThat(view(dsl, lease.key()).status()).isEqualTo(JobStatus.INPROGRESS);
    assertThat(dsl.fetchCount(MESSAGE)).isZero();
  }

  @Test
  void intent_thatCannotBeEnqueued_isRefusedWhenItIsMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeliveryIntent.of(OUTBOX, message("e"), message("e")))
        .withMessageContaining("Event id e appears twice");
    assertThatIllegalArgumentException().isThrownBy(() -> DeliveryIntent.of(OUTBOX));
  }

  private static DeliveryIntent intent(String eventId) {
    return DeliveryIntent.of(OUTBOX, message(eventId));
  }

  private EffectOutcome intend(Lease<Long> lease, DeliveryIntent intent) {
    return dsl.transactionResult(tx -> COUNTS.finish(tx.dsl(), lease, 7, intent));
  }
}

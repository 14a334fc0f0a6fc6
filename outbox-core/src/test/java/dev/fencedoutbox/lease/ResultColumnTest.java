package dev.fencedoutbox.lease;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.JOB;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.fencedoutbox.house.ApprovedSql;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.JSONB;
import org.jooq.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResultColumnTest {

  private static final LeaseTable<Long, ?> RENDERS = Jobs.of(JobKind.json("render")).table();
  private static final LeaseTable<Long, ?> PRINTS = Jobs.of(JobKind.json("print")).table();
  private static final ResultColumn<Long, JSONB> RESULTS = ResultColumn.of(RENDERS, JOB.RESULT);

  private static Finished<Long, JSONB> finished(LeaseTable<Long, ?> table, long key) {
    return new Finished<>(Sample.lease(table, key, 0), JSONB.valueOf("{}"));
  }

  static Stream<Arguments> statements() {
    Effect<Long> effect =
        accepted ->
            insertInto(INBOX, INBOX.CONSUMER, INBOX.EVENT_ID)
                .select(
                    select(val("c", INBOX.CONSUMER), accepted.key().cast(INBOX.EVENT_ID))
                        .from(accepted.table()))
                .onConflictDoNothing();
    return Stream.of(
        arguments(
            "job-claim",
            LeaseStatements.claim(RENDERS, ClaimTerms.leaseFor(Sample.MINUTE), "o", 100).query()),
        arguments("job-finish-one", RESULTS.completion(List.of(finished(RENDERS, 1)))),
        arguments(
            "job-finish-many",
            RESULTS.completion(List.of(finished(RENDERS, 1), finished(RENDERS, 2)))),
        arguments("job-finish-effect", RESULTS.completion(finished(RENDERS, 1), effect)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void statements(String name, Query statement) {
    ApprovedSql.assertApproved(name, statement);
  }

  @Test
  void completion_underALeaseOfAnotherDescription_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RESULTS.completion(List.of(finished(PRINTS, 1))))
        .withMessage(
            "The lease on outbox.job 1, epoch 3, until 2026-01-01T00:00Z is not on a row that this"
                + " description of outbox.job is about. Nothing was sent. Finish it by the"
                + " description it was claimed by.");
  }

  @Test
  void of_aTableWhoseCompletedRowsGo_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResultColumn.of(Sample.DELIVERIES, DELIVERY.CHANNEL))
        .withMessage(
            "Completing deletes the rows of outbox.delivery, so there is no place for a result."
                + " Nothing was sent. Describe it with completedAs(...).");
  }

  @Test
  void of_aColumnOfTheLease_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResultColumn.of(RENDERS, JOB.ENDED_AT))
        .withMessageContaining("belongs to the lease");
  }
}

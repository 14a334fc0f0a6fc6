package dev.fencedoutbox.lease;

import static dev.fencedoutbox.house.ApprovedSql.assertApproved;
import static dev.fencedoutbox.lease.Sample.DELIVERIES;
import static dev.fencedoutbox.lease.Sample.MINUTE;
import static dev.fencedoutbox.lease.Sample.PLAIN;
import static dev.fencedoutbox.lease.Sample.lease;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.truncate;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.util.List;
import org.jooq.ResultQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements as a reader should see them. */
class LeaseStatementsTest {

  private static final ClaimTerms TERMS = ClaimTerms.leaseFor(MINUTE);
  private static final List<Lease<Long>> ONE = List.of(lease(17));
  private static final List<Lease<Long>> MANY = List.of(lease(18), lease(17));
  private static final List<Lease<Long>> OF_PLAIN = List.of(lease(PLAIN, 17, 0));
  private static final Effect<Long> EFFECT =
      accepted ->
          insertInto(INBOX, INBOX.CONSUMER, INBOX.EVENT_ID)
              .select(
                  select(val("billing", INBOX.CONSUMER), accepted.get(DELIVERY.CHANNEL))
                      .from(accepted.table()))
              .onConflict()
              .doNothing();

  @Test
  void claim() {
    assertApproved("claim", LeaseStatements.claim(DELIVERIES, TERMS, "me", 100).query());
  }

  @Test
  void claim_ofPlainTable() {
    assertApproved("claim-plain", LeaseStatements.claim(PLAIN, TERMS, "me", 100).query());
  }

  @Test
  void claimByKey() {
    assertApproved(
        "claim-by-key", LeaseStatements.claimByKey(DELIVERIES, TERMS, "me", 17L).query());
  }

  @Test
  void claimInOrder() {
    assertApproved(
        "claim-in-order",
        LeaseStatements.claimInOrder(
                Outbox.create().orderedDeliveries(Channel.DEFAULT), TERMS, "me", KeyWalk.of(100))
            .query());
  }

  @Test
  void renew() {
    assertApproved("renew-one", LeaseStatements.renew(ONE, MINUTE));
    assertApproved("renew-many", LeaseStatements.renew(MANY, MINUTE));
  }

  @Test
  void complete() {
    assertApproved("complete-one", LeaseStatements.complete(ONE));
    assertApproved("complete-many", LeaseStatements.complete(MANY));
  }

  @Test
  void complete_withoutReceipts() {
    var table = Outbox.create().withoutReceipts().deliveries(Channel.DEFAULT);
    List<Lease<Long>> leases = List.of(lease(table, 17, 0), lease(table, 18, 0));
    assertApproved("complete-without-receipt", LeaseStatements.complete(leases));
  }

  @Test
  void complete_ofPlainTable() {
    assertApproved("complete-plain", LeaseStatements.complete(OF_PLAIN));
  }

  @Test
  void retry() {
    Retry<Long> retry = new Retry<>(lease(17), MINUTE, "no answer");
    assertApproved("retry-one", LeaseStatements.retry(List.of(retry)));
    assertApproved(
        "retry-many",
        LeaseStatements.retry(List.of(retry, new Retry<>(lease(18), MINUTE, "no answer"))));
  }

  @Test
  void release() {
    assertApproved("release-one", LeaseStatements.release(ONE));
    assertApproved("release-many", LeaseStatements.release(MANY));
  }

  @Test
  void postpone() {
    assertApproved("postpone-many", LeaseStatements.postpone(MANY, MINUTE));
  }

  @Test
  void bury() {
    Burial<Long> burial = new Burial<>(lease(17), "no such order");
    assertApproved("bury-one", LeaseStatements.bury(List.of(burial)));
    assertApproved(
        "bury-many",
        LeaseStatements.bury(List.of(burial, new Burial<>(lease(18), "no such order"))));
  }

  @Test
  void checkpoint() {
    assertApproved("checkpoint", LeaseStatements.checkpoint(lease(17), DELIVERY.MESSAGE_ID, 4L));
  }

  @Test
  void hold() {
    assertApproved("hold", LeaseStatements.hold(lease(17)));
  }

  @Test
  void finish() {
    assertApproved("finish", LeaseStatements.finish(lease(17), EFFECT));
  }

  @Test
  void apply() {
    assertApproved("apply", LeaseStatements.apply(lease(17), EFFECT));
  }

  @Test
  void standing() {
    assertApproved("standing", LeaseStatements.standing(MANY));
  }

  /** The server parses and plans one text, however many leases there are. */
  @Test
  void text_ofMany_doesNotDependOnTheirNumber() {
    assertThat(LeaseStatements.complete(MANY).getSQL())
        .isEqualTo(LeaseStatements.complete(List.of(lease(1), lease(2), lease(3))).getSQL());
  }

  /** Writers of overlapping batches lock rows in one order. */
  @Test
  void many_areSentInKeyOrder() {
    ResultQuery<?> complete = LeaseStatements.complete(MANY);
    assertThat(complete.getBindValues().get(0)).isEqualTo(new Long[] {17L, 18L});
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001})
  void claim_beyondItsLimit_isRefused(int limit) {
    assertThatThrownBy(() -> refuse(LeaseStatements.claim(DELIVERIES, TERMS, "me", limit)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A claim takes 1 to 10000 rows and was asked for %d. Nothing was sent.", limit);
  }

  @Test
  void checkpoint_ofLeaseColumn_isRefused() {
    assertThatThrownBy(() -> refuse(LeaseStatements.checkpoint(lease(17), DELIVERY.EPOCH, 9L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("belongs to the lease, so a checkpoint must not write it");
  }

  /** SET renders the name alone, so an alias of the epoch would be the epoch. */
  @Test
  void checkpoint_ofAnotherTablesColumn_isRefused() {
    assertThatThrownBy(
            () -> refuse(LeaseStatements.checkpoint(lease(17), DELIVERY.as("d").EPOCH, 9L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not one of table outbox.delivery");
    assertThatThrownBy(() -> refuse(LeaseStatements.checkpoint(lease(17), RECEIPT.EPOCH, 9L)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void effect_thatWritesToTheLeasedTable_isRefused() {
    Effect<Long> update =
        accepted ->
            update(DELIVERY)
                .set(DELIVERY.LAST_ERROR, "mine")
                .where(DELIVERY.ID.in(select(accepted.key()).from(accepted.table())));
    Effect<Long> delete =
        accepted ->
            deleteFrom(DELIVERY)
                .where(DELIVERY.ID.in(select(accepted.key()).from(accepted.table())));
    for (Effect<Long> effect : List.of(update, delete)) {
      assertThatThrownBy(() -> refuse(LeaseStatements.finish(lease(17), effect)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the leased table itself, where it would be lost")
          .hasMessageContaining("Leases.checkpoint");
    }
  }

  @Test
  void orderingKeyOfAnotherTable_isRefused() {
    assertThatThrownBy(() -> refuse(DELIVERIES.inOrderOf(MESSAGE.ORDERING_KEY)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not one of table");
  }

  @Test
  void walkThatStartsAtWhatCannotBeStored_isRefused() {
    assertThatThrownBy(() -> refuse(new KeyWalk("a\u0000", 10, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("U+0000");
  }

  @Test
  void effect_thatIsNoWriteOfTheDsl_isRefused() {
    Effect<Long> truncation = accepted -> truncate(INBOX);
    assertThatThrownBy(() -> refuse(LeaseStatements.apply(lease(17), truncation)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A fenced effect is an INSERT, UPDATE or DELETE");
  }

  @Test
  void effect_thatDoesNotReadFromTheAcceptedRow_isRefused() {
    Effect<Long> unfenced = accepted -> insertInto(INBOX, INBOX.CONSUMER).values("billing");
    assertThatThrownBy(() -> refuse(LeaseStatements.finish(lease(17), unfenced)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The effect does not read from accepted.table(), so it would be");
  }

  @Test
  void writes_ofNoLease_areRefused() {
    assertThatThrownBy(() -> refuse(LeaseStatements.complete(List.<Lease<Long>>of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "A write takes one lease or more and was given none. Nothing was sent. Leave it out.");
  }

  @Test
  void retry_thatWaits_onTableWithoutDueTime_isRefused() {
    List<Retry<Long>> waiting = List.of(new Retry<>(lease(PLAIN, 17, 0), MINUTE, "no"));
    assertThatThrownBy(() -> refuse(LeaseStatements.retry(waiting)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "Table outbox.delivery has no due time, so a retry cannot wait. Nothing was sent.");
  }

  private static void refuse(Object statement) {
    throw new AssertionError("not refused: " + statement);
  }
}

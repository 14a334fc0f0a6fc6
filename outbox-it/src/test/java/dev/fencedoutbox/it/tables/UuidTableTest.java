package dev.fencedoutbox.it.tables;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.it.tables.Errand.ERRAND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Buried;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host's table with a uuid key, whose rows go when they are done and are claimed with a join. */
class UuidTableTest {
  static final TestDatabase DB = TestDatabase.create();

  private record Walk(String what, String customer) {}

  private static final LeaseTable<UUID, Walk> ERRANDS =
      LeaseTable.of(ERRAND, ERRAND.id)
          .epoch(ERRAND.epoch)
          .attempts(ERRAND.attempts)
          .leaseUntil(ERRAND.leaseUntil)
          .status(ERRAND.status, "READY", "BUSY", "DEAD")
          .completedByDelete()
          .dueAt(ERRAND.dueAt)
          .owner(ERRAND.owner)
          .lastError(ERRAND.error)
          .exposing(ERRAND.what)
          .handingOut(
              CUSTOMER_ORDER,
              CUSTOMER_ORDER.ID.eq(ERRAND.customer),
              List.of(ERRAND.what, CUSTOMER_ORDER.CUSTOMER),
              row -> new Walk(row.get(ERRAND.what), row.get(CUSTOMER_ORDER.CUSTOMER)));

  private static final Leases WORKER = Leases.ownedBy("worker");
  private static final String WIDE = "a text of far more than forty characters, told at length";

  private final DSLContext dsl = DB.dsl();

  @BeforeAll
  static void create() {
    Errand.create(DB.dsl());
  }

  @BeforeEach
  void anOrder() {
    dsl.execute("truncate shop.errand, shop.customer_order, shop.invoice");
    dsl.insertInto(
            CUSTOMER_ORDER, CUSTOMER_ORDER.ID, CUSTOMER_ORDER.CUSTOMER, CUSTOMER_ORDER.AMOUNT)
        .values("o1", "ann", BigDecimal.ONE)
        .execute();
  }

  @Test
  void claim_handsOutTheJoinedRow() {
    UUID id = Errand.add(dsl, "o1", "post").get(0);

    Claimed<UUID, Walk> claimed = WORKER.claim(dsl, ERRANDS, LONG, 1).first().orElseThrow();

    assertThat(claimed.row()).isEqualTo(new Walk("post", "ann"));
    assertThat(claimed.lease().key()).isEqualTo(id);
    assertThat(claimed.lease().epoch().value()).isOne();
    assertThat(row(id).get(ERRAND.owner)).isEqualTo("worker");
  }

  @Test
  void claim_ofABatch_takesTheOldestFirst() {
    List<UUID> ids = Errand.add(dsl, "o1", "a", "b", "c");
    dsl.execute(
        "update shop.errand set due_at = clock_timestamp() - interval '1 h' where what <> 'b'");

    assertThat(keys(WORKER.claim(dsl, ERRANDS, LONG, 2)))
        .containsExactlyInAnyOrder(ids.get(0), ids.get(2));
    assertThat(keys(WORKER.claim(dsl, ERRANDS, LONG, 2))).containsExactly(ids.get(1));
    assertThat(WORKER.claim(dsl, ERRANDS, LONG, 2).isEmpty()).isTrue();
  }

  @Test
  void claimByKey_takesThatRow() {
    List<UUID> ids = Errand.add(dsl, "o1", "a", "b");

    assertThat(keys(WORKER.claimByKey(dsl, ERRANDS, LONG, ids.get(1)))).containsExactly(ids.get(1));

    assertThat(WORKER.claimByKey(dsl, ERRANDS, LONG, ids.get(1)).isEmpty()).isTrue();
    assertThat(row(ids.get(0)).get(ERRAND.epoch)).isZero();
  }

  @Test
  void renewAll_movesEachDeadlineAndKeepsTheEpoch() {
    List<Lease<UUID>> held = held(3);

    List<RenewOutcome<UUID>> outcomes = WORKER.renewAll(dsl, held, Duration.ofHours(1));

    assertThat(outcomes).hasSize(3);
    for (int i = 0; i < 3; i++) {
      Lease<UUID> renewed = ((RenewOutcome.Renewed<UUID>) outcomes.get(i)).lease();
      assertThat(renewed).isEqualTo(held.get(i));
      assertThat(renewed.leaseUntil()).isAfter(held.get(i).leaseUntil());
      assertThat(row(renewed.key()).get(ERRAND.leaseUntil).toInstant())
          .isEqualTo(renewed.leaseUntil().toInstant());
    }
  }

  @Test
  void completeAll_deletesEachRowOfItsLease() {
    List<Lease<UUID>> held = held(3);
    takeOver(held.get(1).key());

    assertThat(WORKER.completeAll(dsl, held))
        .containsExactly(LeaseOutcome.ACCEPTED, LeaseOutcome.SUPERSEDED, LeaseOutcome.ACCEPTED);

    assertThat(dsl.fetch(ERRAND).getValues(ERRAND.id)).containsExactly(held.get(1).key());
    assertThat(WORKER.complete(dsl, held.get(0))).isEqualTo(LeaseOutcome.GONE);
  }

  @Test
  void retryAll_setsEachItsOwnDelay() {
    List<Lease<UUID>> held = held(2);

    assertThat(
            WORKER.retryAll(
                dsl,
                List.of(
                    new Retry<>(held.get(0), Duration.ofHours(1), "busy"),
                    new Retry<>(held.get(1), Duration.ZERO, "closed"))))
        .containsOnly(LeaseOutcome.ACCEPTED);

    assertThat(row(held.get(0).key()).get(ERRAND.error)).isEqualTo("busy");
    assertThat(row(held.get(1).key()).get(ERRAND.error)).isEqualTo("closed");
    Lease<UUID> again = only(WORKER.claim(dsl, ERRANDS, LONG, 10));
    assertThat(again.key()).isEqualTo(held.get(1).key());
    assertThat(again.epoch().value()).isEqualTo(2);
  }

  @Test
  void buryAll_leavesEachDeadWithItsReason() {
    List<Lease<UUID>> held = held(2);

    assertThat(
            WORKER.buryAll(
                dsl, List.of(new Burial<>(held.get(0), "one"), new Burial<>(held.get(1), "two"))))
        .containsOnly(LeaseOutcome.ACCEPTED);

    assertThat(row(held.get(0).key()).get(ERRAND.error)).isEqualTo("one");
    assertThat(row(held.get(1).key()).get(ERRAND.error)).isEqualTo("two");
    assertThat(dsl.fetch(ERRAND).getValues(ERRAND.status)).containsOnly("DEAD");
    assertThat(WORKER.claim(dsl, ERRANDS, LONG, 10).isEmpty()).isTrue();
  }

  @Test
  void finish_readsTheExposedColumnAndDeletesTheRow() {
    Lease<UUID> lease = held(1).get(0);

    assertThat(
            WORKER.finish(
                dsl,
                lease,
                accepted ->
                    insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                        .select(
                            select(accepted.get(ERRAND.what), val(BigDecimal.TEN, INVOICE.AMOUNT))
                                .from(accepted.table()))))
        .isEqualTo(EffectOutcome.APPLIED);

    assertThat(dsl.fetchSingle(INVOICE).getOrderId()).isEqualTo("errand0");
    assertThat(dsl.fetchCount(ERRAND)).isZero();
  }

  @Test
  void retryAndBury_withTextsWiderThanTheColumn_areCut() {
    List<Lease<UUID>> held = held(2);

    assertThat(WORKER.retry(dsl, held.get(0), Duration.ZERO, WIDE))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(WORKER.bury(dsl, held.get(1), WIDE)).isEqualTo(LeaseOutcome.ACCEPTED);

    for (Lease<UUID> lease : held) {
      assertThat(row(lease.key()).get(ERRAND.error))
          .startsWith("a text of far")
          .hasSizeLessThanOrEqualTo(40);
    }
  }

  @Test
  void claim_byAnOwnerWiderThanTheColumn_isCut() {
    UUID id = Errand.add(dsl, "o1", "post").get(0);

    assertThat(keys(Leases.ownedBy(WIDE).claim(dsl, ERRANDS, LONG, 1))).containsExactly(id);

    assertThat(row(id).get(ERRAND.owner)).startsWith("a text of far").hasSizeLessThanOrEqualTo(40);
  }

  /**
   * The reason and the earlier error together are wider than the column; the claim must not fail.
   */
  @Test
  void claim_thatBuriesARowWithALongEarlierError_cutsTheReason() {
    Lease<UUID> lease = held(1).get(0);
    assertThat(
            WORKER.retry(
                dsl,
                lease,
                Duration.ZERO,
                "exactly forty characters of bad luck ....".substring(0, 40)))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    Errand.add(dsl, "o1", "beside");

    Claims<UUID, Walk> claims = WORKER.claim(dsl, ERRANDS, LONG.withAttemptBudget(1), 10);

    assertThat(claims.claimed())
        .extracting(Claimed::row)
        .containsExactly(new Walk("beside", "ann"));
    assertThat(claims.buried()).hasSize(1);
    Buried<UUID> buried = claims.buried().get(0);
    assertThat(buried.key()).isEqualTo(lease.key());
    assertThat(buried.reason())
        .startsWith("The attempt budget of 1 is used up.")
        .hasSizeLessThanOrEqualTo(40)
        .isEqualTo(row(lease.key()).get(ERRAND.error));
    assertThat(row(lease.key()).get(ERRAND.status)).isEqualTo("DEAD");
  }

  /** Claims that many new errands, in the order in which they were added. */
  private List<Lease<UUID>> held(int count) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> Errand.add(dsl, "o1", "errand" + i).get(0))
        .map(id -> only(WORKER.claimByKey(dsl, ERRANDS, LONG, id)))
        .toList();
  }

  private void takeOver(UUID id) {
    dsl.execute(
        "update shop.errand set lease_until = clock_timestamp() - interval '1 s' where id = ?", id);
    assertThat(keys(Leases.ownedBy("other").claimByKey(dsl, ERRANDS, LONG, id)))
        .containsExactly(id);
  }

  private static List<UUID> keys(Claims<UUID, Walk> claims) {
    return leases(claims).stream().map(Lease::key).toList();
  }

  private Record row(UUID id) {
    return dsl.fetchSingle(ERRAND, ERRAND.id.eq(id));
  }
}

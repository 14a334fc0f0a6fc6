package dev.fencedoutbox.it.tables;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.it.tables.Parcel.PARCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Buried;
import dev.fencedoutbox.lease.Effect;
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
import org.jooq.DSLContext;
import org.jooq.Record;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host's table with keys of its own making, numbers for statuses, and no optional column. */
class TextKeyTableTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final int READY = 0;
  private static final int BUSY = 1;
  private static final int DEAD = 2;
  private static final int DONE = 3;

  private static final LeaseTable<String, Record> PARCELS =
      LeaseTable.ofNeverReused(PARCEL, PARCEL.code)
          .epoch(PARCEL.epoch)
          .attempts(PARCEL.attempts)
          .leaseUntil(PARCEL.leaseUntil)
          .status(PARCEL.stage, READY, BUSY, DEAD)
          .completedAs(DONE);

  private static final Leases WORKER = Leases.ownedBy("worker");

  private final DSLContext dsl = DB.dsl();

  @BeforeAll
  static void create() {
    Parcel.create(DB.dsl());
  }

  @BeforeEach
  void threeParcels() {
    dsl.execute("truncate shop.parcel, shop.invoice");
    dsl.execute("insert into shop.parcel (code) values ('b''\\'), ('a'), ('c')");
  }

  @Test
  void claim_withoutADueTime_goesByTheKey() {
    assertThat(leases(WORKER.claim(dsl, PARCELS, LONG, 2)))
        .extracting(Lease::key)
        .containsExactly("a", "b'\\");
    assertThat(only(WORKER.claim(dsl, PARCELS, LONG, 2)).key()).isEqualTo("c");
  }

  @Test
  void claimByKey_ofAnOddKey_takesIt() {
    Lease<String> lease = only(WORKER.claimByKey(dsl, PARCELS, LONG, "b'\\"));

    assertThat(
            WORKER.finish(
                dsl,
                lease,
                accepted ->
                    insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                        .select(
                            select(accepted.key(), val(BigDecimal.TEN, INVOICE.AMOUNT))
                                .from(accepted.table()))))
        .isEqualTo(EffectOutcome.APPLIED);

    assertThat(dsl.fetchSingle(INVOICE).getOrderId()).isEqualTo("b'\\");
    assertThat(stage("b'\\")).isEqualTo(DONE);
    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.SETTLED);
  }

  @Test
  void batches_writeEachRow() {
    List<Lease<String>> all = leases(WORKER.claim(dsl, PARCELS, LONG, 3));

    assertThat(WORKER.renewAll(dsl, all, Duration.ofHours(1)))
        .allMatch(RenewOutcome.Renewed.class::isInstance);
    assertThat(
            WORKER.retryAll(
                dsl, List.of(new Retry<>(all.get(0), Duration.ZERO, "lost in the post"))))
        .containsExactly(LeaseOutcome.ACCEPTED);
    assertThat(WORKER.buryAll(dsl, List.of(new Burial<>(all.get(1), "empty"))))
        .containsExactly(LeaseOutcome.ACCEPTED);
    assertThat(WORKER.completeAll(dsl, all))
        .containsExactly(LeaseOutcome.SETTLED, LeaseOutcome.SETTLED, LeaseOutcome.ACCEPTED);

    assertThat(stage("a")).isEqualTo(READY);
    assertThat(stage("b'\\")).isEqualTo(DEAD);
    assertThat(stage("c")).isEqualTo(DONE);
    assertThat(only(WORKER.claim(dsl, PARCELS, LONG, 3)).key())
        .as("nothing says when it is due, so it is due at once")
        .isEqualTo("a");
  }

  @Test
  void claim_ofASpentRow_buriesItWithAReasonThatIsKeptNowhere() {
    dsl.execute("update shop.parcel set attempts = 5 where code = 'a'");

    assertThat(WORKER.claimByKey(dsl, PARCELS, LONG.withAttemptBudget(5), "a").buried())
        .containsExactly(new Buried<>("a", 5, "The attempt budget of 5 is used up."));
    assertThat(stage("a")).isEqualTo(DEAD);
  }

  /** Where no CHECK ties the status to the deadline, the status alone must refuse. */
  @Test
  void everyWrite_underAStatusThatSomebodyHasChanged_isRefused() {
    Lease<String> lease = only(WORKER.claimByKey(dsl, PARCELS, LONG, "a"));
    dsl.execute("update shop.parcel set stage = 3 where code = 'a'"); // the deadline stays

    assertThat(WORKER.renew(dsl, lease, Duration.ofHours(1)))
        .isEqualTo(new RenewOutcome.Refused<>(lease, LeaseOutcome.SETTLED));
    assertThat(WORKER.complete(dsl, lease)).isEqualTo(LeaseOutcome.SETTLED);
    assertThat(WORKER.retry(dsl, lease, Duration.ZERO, "late")).isEqualTo(LeaseOutcome.SETTLED);
    assertThat(WORKER.release(dsl, lease)).isEqualTo(LeaseOutcome.SETTLED);
    assertThat(WORKER.bury(dsl, lease, "late")).isEqualTo(LeaseOutcome.SETTLED);
    Effect<String> invoice =
        accepted ->
            insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                .select(
                    select(accepted.key(), val(BigDecimal.TEN, INVOICE.AMOUNT))
                        .from(accepted.table()));
    assertThat(WORKER.finish(dsl, lease, invoice)).isEqualTo(EffectOutcome.FENCED);
    assertThat(WORKER.apply(dsl, lease, invoice)).isEqualTo(EffectOutcome.FENCED);
    assertThat(dsl.fetchCount(INVOICE)).isZero();
    assertThat(stage("a")).isEqualTo(DONE);
  }

  private Integer stage(String code) {
    return dsl.fetchSingle(PARCEL, PARCEL.code.eq(code)).get(PARCEL.stage);
  }
}

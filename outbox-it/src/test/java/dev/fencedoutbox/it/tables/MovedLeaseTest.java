package dev.fencedoutbox.it.tables;

import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.it.tables.Errand.ERRAND;
import static dev.fencedoutbox.it.tables.Parcel.PARCEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.testkit.EffectUnderTest;
import dev.fencedoutbox.testkit.FencedEffectCheck;
import dev.fencedoutbox.testkit.LeaseMover;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The test kit on tables whose keys are no numbers. */
class MovedLeaseTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final LeaseTable<String, Record> PARCELS =
      LeaseTable.ofNeverReused(PARCEL, PARCEL.code)
          .epoch(PARCEL.epoch)
          .attempts(PARCEL.attempts)
          .leaseUntil(PARCEL.leaseUntil)
          .status(PARCEL.stage, 0, 1, 2)
          .completedAs(3);

  private static final LeaseTable<UUID, Record> ERRANDS =
      LeaseTable.of(ERRAND, ERRAND.id)
          .epoch(ERRAND.epoch)
          .attempts(ERRAND.attempts)
          .leaseUntil(ERRAND.leaseUntil)
          .status(ERRAND.status, "READY", "BUSY", "DEAD")
          .completedByDelete()
          .dueAt(ERRAND.dueAt);

  private static final Leases WORKER = Leases.ownedBy("worker");

  private final DSLContext dsl = DB.dsl();

  @BeforeAll
  static void create() {
    Parcel.create(DB.dsl());
    Errand.create(DB.dsl());
    DB.dsl()
        .execute("insert into shop.customer_order (id, customer, amount) values ('o1', 'a', 1)");
  }

  @Test
  void uuidKey_isMoved() {
    UUID id = Errand.add(dsl, "o1", "post").get(0);
    Lease<UUID> late = only(WORKER.claimByKey(dsl, ERRANDS, LONG, id));
    LeaseMover<UUID> mover = LeaseMover.on(dsl, ERRANDS);

    assertThat(WORKER.retry(dsl, late, Duration.ofHours(1), null)).isEqualTo(LeaseOutcome.ACCEPTED);
    mover.makeDue(id);
    Lease<UUID> second = only(WORKER.claimByKey(dsl, ERRANDS, LONG, id));

    assertThat(mover.takeOver(id).epoch().value()).isEqualTo(3);
    assertThat(WORKER.complete(dsl, second)).isEqualTo(LeaseOutcome.SUPERSEDED);
  }

  @Test
  void makeDue_withoutADueTime_isRefused() {
    assertThatThrownBy(() -> LeaseMover.on(dsl, PARCELS).makeDue("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Table shop.parcel has no due time, so its rows never wait.");
  }

  @Test
  void effectUnderATextKey_isFenced() {
    FencedEffectCheck.on(dsl, PARCELS).assertFenced(new InvoiceOfParcel());
  }

  private static final class InvoiceOfParcel implements EffectUnderTest<String> {

    @Override
    public String newRow(DSLContext on) {
      return on.insertInto(PARCEL, PARCEL.code)
          .values("it's " + UUID.randomUUID())
          .returningResult(PARCEL.code)
          .fetchSingle()
          .value1();
    }

    @Override
    public boolean run(DSLContext on, Lease<String> lease) {
      BigDecimal epoch = BigDecimal.valueOf(lease.epoch().value());
      return WORKER.finish(
              on,
              lease,
              accepted ->
                  insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
                      .select(
                          select(accepted.key(), val(epoch, INVOICE.AMOUNT))
                              .from(accepted.table())))
          == EffectOutcome.APPLIED;
    }

    @Override
    public Object state(DSLContext on, String key) {
      return on.fetch(INVOICE, INVOICE.ORDER_ID.eq(key));
    }
  }
}

package dev.fencedoutbox.it.demo;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.jooq.impl.DSL.row;

import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** Where the deliveries stand, read from outside for people and for the rehearsal. */
final class Deliveries {

  /** A claim of a delivery. */
  record Hold(long id, long epoch) {}

  private final DSLContext dsl;

  Deliveries(DSLContext dsl) {
    this.dsl = dsl;
  }

  /** The claims that a relay has committed and not ended. */
  List<Hold> heldBy(String relay) {
    return dsl.select(DELIVERY.ID, DELIVERY.EPOCH)
        .from(DELIVERY)
        .where(DELIVERY.LEASE_OWNER.eq(relay))
        .fetch(held -> new Hold(held.value1(), held.value2()));
  }

  /** Whether every one of these rows was claimed again or is gone. */
  boolean supersede(List<Hold> holds) {
    return count(
            row(DELIVERY.ID, DELIVERY.EPOCH)
                .in(holds.stream().map(hold -> row(hold.id(), hold.epoch())).toList()))
        == 0;
  }

  int waiting() {
    return count(DELIVERY.STATUS.eq(DeliveryStatus.READY));
  }

  int leased() {
    return count(DELIVERY.STATUS.eq(DeliveryStatus.INPROGRESS));
  }

  int dead() {
    return count(DELIVERY.STATUS.eq(DeliveryStatus.DEAD));
  }

  int delivered() {
    return dsl.fetchCount(RECEIPT);
  }

  private int count(Condition condition) {
    return dsl.fetchCount(DELIVERY, condition);
  }
}

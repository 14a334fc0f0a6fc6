package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Work;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.outbox.Delivery;
import java.util.function.LongSupplier;

/** A delivery in this relay's hands. */
final class DeliveryWork extends Work implements Attempt {

  private final Delivery delivery;

  DeliveryWork(Claimed<Long, Delivery> claimed, LongSupplier nanoClock) {
    super(claimed, nanoClock);
    this.delivery = claimed.row();
  }

  @Override
  public Delivery delivery() {
    return delivery;
  }

  String topic() {
    return delivery.topic();
  }

  @Override
  public String toString() {
    return "attempt %d at %s".formatted(number(), delivery);
  }
}

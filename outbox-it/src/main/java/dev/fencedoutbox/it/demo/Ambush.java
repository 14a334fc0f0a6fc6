package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryInterceptor;
import dev.fencedoutbox.relay.DeliveryOutcome;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stops a relay at the worst moment: billing, or the broker, has acknowledged events, and their
 * record is held back, and so is every record after it. So there is something that the relay has
 * delivered and not recorded for certain, and soon all its handlers stand still.
 */
final class Ambush implements DeliveryInterceptor {

  /** For {@code nthEvent}. */
  static final int NEVER = Integer.MAX_VALUE;

  private final int nthEvent;
  private final Runnable sprung;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  /**
   * @param nthEvent the first one that is held back
   * @param sprung called each time that something is held back
   */
  Ambush(int nthEvent, Runnable sprung) {
    this.nthEvent = nthEvent;
    this.sprung = sprung;
  }

  @Override
  public List<DeliveryOutcome> around(List<Attempt> attempts, Handling next) throws Exception {
    List<DeliveryOutcome> outcomes = next.proceed();
    int delivered =
        (int) outcomes.stream().filter(DeliveryOutcome.Delivered.class::isInstance).count();
    if (delivered > 0 && acknowledged.addAndGet(delivered) >= nthEvent) {
      sprung.run();
      hold();
    }
    return outcomes;
  }

  /** Once the lease is lost, the relay interrupts; what was acknowledged stays so. */
  private void hold() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the records go. */
  void release() {
    released.countDown();
  }
}

package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.process.Waiting;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Stops a relay at the worst moment: the receiver has applied the event and committed, and its
 * answer is held back, and so is every answer after it. So there is something that the relay has
 * not recorded for certain, and soon all its handlers stand still.
 */
final class Ambush implements Consumer<String> {

  private final String victim;
  private final int nthRequest;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicBoolean sprung = new AtomicBoolean();
  private final CountDownLatch answer = new CountDownLatch(1);

  Ambush(String victim, int nthRequest) {
    this.victim = victim;
    this.nthRequest = nthRequest;
  }

  /** Called by the receiver on the request's own thread. */
  @Override
  public void accept(String sender) {
    if (sender.equals(victim) && requests.incrementAndGet() >= nthRequest) {
      sprung.set(true);
      try {
        answer.await();
      } catch (InterruptedException e) {
        throw Waiting.interrupted(e);
      }
    }
  }

  /** Whether an answer is held back. */
  boolean isSprung() {
    return sprung.get();
  }

  /** Lets the answers go. */
  void release() {
    answer.countDown();
  }
}

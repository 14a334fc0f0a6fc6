package dev.fencedoutbox.it.support;

import java.util.concurrent.CountDownLatch;

/** Where threads stand until it is closed, whatever happens to the test. */
public final class Gate implements AutoCloseable {
  private final CountDownLatch over = new CountDownLatch(1);

  /** Stands there; an interrupt ends that too. */
  public void pass() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}

package dev.fencedoutbox.internal;

import java.time.Duration;

/** Ends a wait: raised before it or during it, once or often, it ends one. Thread-safe. */
public final class Signal {

  private boolean raised;

  /** Ends the wait, or the next one. */
  public synchronized void raise() {
    raised = true;
    notifyAll();
  }

  /** Waits until it is raised, or for so long. */
  public synchronized void await(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    for (long left = longest.toNanos(); !raised && left > 0; left = deadline - System.nanoTime()) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
    raised = false;
  }
}

package dev.fencedoutbox.relay;

import java.time.Duration;

/** Ends a wait: raised before it or during it, once or often, it ends one. Thread-safe. */
final class Signal {

  private boolean raised;

  synchronized void raise() {
    raised = true;
    notifyAll();
  }

  /** Waits until it is raised, or for so long. */
  synchronized void await(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    for (long left = longest.toNanos(); !raised && left > 0; left = deadline - System.nanoTime()) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
    raised = false;
  }
}

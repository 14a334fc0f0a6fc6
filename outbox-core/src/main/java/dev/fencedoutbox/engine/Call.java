package dev.fencedoutbox.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One call of a handler: the thread that is in it, and the deliveries that it is about. */
final class Call {

  private final List<Work> works = new ArrayList<>();
  private final Thread thread = Thread.currentThread();
  private final long begunNanos;
  private boolean sealed;
  private boolean over;
  private boolean interrupted;

  Call(long begunNanos) {
    this.begunNanos = begunNanos;
  }

  Duration runningFor(long nowNanos) {
    return Duration.ofNanos(nowNanos - begunNanos);
  }

  synchronized void add(Work work) {
    works.add(work);
  }

  /** All of its deliveries are there. */
  synchronized void seal() {
    sealed = true;
    interruptIfAllStopped();
  }

  /** A batch goes on for those of its deliveries that are still held. */
  synchronized void interruptIfAllStopped() {
    if (sealed && works.stream().allMatch(work -> work.isStopped() || work.isOver())) {
      interrupt();
    }
  }

  synchronized void interrupt() {
    if (!over) {
      interrupted = true;
      thread.interrupt();
    }
  }

  /** False if it was interrupted before. */
  synchronized boolean interruptOnce() {
    boolean first = !over && !interrupted;
    if (first) {
      interrupt();
    }
    return first;
  }

  /** The handler has returned: its thread is not interrupted any more, by whomever. */
  synchronized void end() {
    over = true;
    Thread.interrupted();
  }
}

package dev.fencedoutbox.internal;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that takes one step after the other until it is told to end. */
public final class Loop {

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final Duration AFTER_BUG = Duration.ofSeconds(1);

  /** One step; it waits by itself for what comes next. */
  @FunctionalInterface
  public interface Step {
    /** Takes it. */
    void take() throws InterruptedException;
  }

  private final Thread thread;
  private final Step step;
  private final Signal ending = new Signal();
  private volatile boolean ended;

  /** A daemon of that name, which is not started yet. */
  public Loop(String name, Step step) {
    this.step = step;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /** Starts it. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        takeStep();
      }
    } catch (InterruptedException e) {
      // Only end() interrupts it, or somebody who wants the same
      LOG.debug("{} was interrupted and ends", thread.getName());
    }
  }

  private void takeStep() throws InterruptedException {
    try {
      step.take();
    } catch (RuntimeException | Error e) {
      // A relay that stops in silence is worse than one that goes on with what it can do
      LOG.error("A step of {} failed; it goes on in {}.", thread.getName(), AFTER_BUG, e);
      pause(AFTER_BUG);
    }
  }

  /** Waits so long, or until it is to end. */
  public void pause(Duration longest) throws InterruptedException {
    if (!ended) {
      ending.await(longest);
    }
  }

  /** Whether it was told to end. */
  public boolean isEnding() {
    return ended;
  }

  /** Tells it to end after the step in hand. */
  public void end() {
    ended = true;
    ending.raise();
  }

  /** Ends it, and waits so long for its end; an interrupt ends the wait and is kept. */
  public void endWithin(Duration longest) {
    end();
    try {
      if (!awaitEnd(longest)) {
        LOG.debug("{} is still in a step and is left behind", thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for its end; whether it came. A step that is stuck is interrupted and left behind. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    if (!longest.isZero() && !longest.isNegative()) {
      thread.join(Math.max(1, longest.toMillis()));
    }
    if (thread.isAlive()) {
      thread.interrupt();
    }
    return !thread.isAlive();
  }
}

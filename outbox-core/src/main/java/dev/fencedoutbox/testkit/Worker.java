package dev.fencedoutbox.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** A worker in a thread of its own, which can be seen to wait for a lock in the database. */
final class Worker<T> {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private final FutureTask<T> task;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Steps steps;

  private Worker(Callable<T> work, Steps steps) {
    this.task = new FutureTask<>(work);
    this.steps = steps;
  }

  /** Starts the work, whose statements run through {@code steps}. */
  static <T> Worker<T> start(Steps steps, Callable<T> work) {
    Worker<T> worker = new Worker<>(work, steps);
    Thread thread = new Thread(worker::run, "another owner");
    thread.setDaemon(true);
    thread.start();
    return worker;
  }

  private void run() {
    task.run();
    done.countDown();
  }

  /** Returns once it is done, or waits for a lock; whether it is done. */
  boolean awaitDoneOrBlocked(DSLContext observer) {
    long start = System.nanoTime();
    while (!isDoneWithin(BETWEEN_LOOKS)) {
      if (steps.isBlocked(observer)) {
        return false;
      }
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw stuck();
      }
    }
    return true;
  }

  /** What it brought; it must not be long in coming. */
  T result() {
    if (!isDoneWithin(PATIENCE)) {
      throw stuck();
    }
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("A worker of the check failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private boolean isDoneWithin(Duration time) {
    try {
      return done.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("The check was interrupted.", e);
  }

  private static IllegalStateException stuck() {
    return new IllegalStateException(
        "A worker of the check has not come to an end within %s. Has the DSLContext a pool of at least four connections, and does the effect use the one that it is given?"
            .formatted(PATIENCE));
  }
}

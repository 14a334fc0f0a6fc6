package dev.fencedoutbox.it.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks at the same time. */
final class Together {

  private Together() {}

  /**
   * Starts all when each has its thread.
   *
   * @return from then until the last has ended
   */
  static long nanos(List<? extends Callable<?>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CountDownLatch here = new CountDownLatch(tasks.size());
      CountDownLatch go = new CountDownLatch(1);
      List<Future<?>> running = new ArrayList<>();
      for (Callable<?> task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  here.countDown();
                  go.await();
                  return task.call();
                }));
      }
      here.await();
      long begun = System.nanoTime();
      go.countDown();
      for (Future<?> task : running) {
        task.get();
      }
      return System.nanoTime() - begun;
    } finally {
      threads.shutdownNow();
    }
  }
}

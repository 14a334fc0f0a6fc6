package dev.fencedoutbox.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that handlers run on.
 *
 * @param own ended with the engine; null if they are the host's
 */
public record Workers(Executor executor, @Nullable ExecutorService own) {

  /**
   * The host's if there are any; otherwise daemons as they are needed, named after {@code owner}.
   */
  public static Workers of(@Nullable Executor hosts, String owner) {
    if (hosts != null) {
      return new Workers(hosts, null);
    }
    AtomicInteger count = new AtomicInteger();
    ExecutorService own =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, owner + " worker " + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    return new Workers(own, own);
  }

  /** Ends them, unless they are the host's. */
  public void end() {
    if (own != null) {
      own.shutdownNow();
    }
  }
}

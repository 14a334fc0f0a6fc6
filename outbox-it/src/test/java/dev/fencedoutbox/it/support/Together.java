package dev.fencedoutbox.it.support;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jooq.DSLContext;

/** Work in several threads, and the proof that one of them waits in the database. */
public final class Together implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Starts one. */
  public <T> Future<T> start(Callable<T> work) {
    return threads.submit(work);
  }

  /** Runs {@code count} at once and returns what each brought. */
  public static <T> List<T> run(int count, Callable<T> work) {
    return runNumbered(count, number -> work.call());
  }

  /** Work that knows its number, from 0 on. */
  public interface Numbered<T> {
    T call(int number) throws Exception;
  }

  /** Starts {@code count} at one moment and returns what each brought, in the order of numbers. */
  public static <T> List<T> runNumbered(int count, Numbered<T> work) {
    CyclicBarrier allAreThere = new CyclicBarrier(count);
    try (Together together = new Together()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        futures.add(
            together.start(
                () -> {
                  int unused = allAreThere.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                  return work.call(number);
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(resultOf(future));
      }
      return results;
    }
  }

  /** Waits for one. */
  public static <T> T resultOf(Future<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("A thread failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("A thread did not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The server process of a connection. */
  public static int pid(DSLContext connection) {
    return connection.fetchSingle("select pg_backend_pid()").get(0, Integer.class);
  }

  /** Waits until that server process waits for a lock. */
  public static void awaitBlocked(DSLContext watcher, int pid) {
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () ->
                !watcher
                    .fetch(
                        "select 1 from pg_stat_activity where pid = ? and wait_event_type = 'Lock'"
                            + " and cardinality(pg_blocking_pids(pid)) > 0",
                        pid)
                    .isEmpty());
  }

  /** Waits until all have ended, so that none outlives its test. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("Not all threads have ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

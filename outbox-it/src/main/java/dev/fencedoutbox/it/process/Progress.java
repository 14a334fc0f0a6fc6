package dev.fencedoutbox.it.process;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line now and then, a whole one, so that it reads alike on a terminal and in a log. */
public final class Progress {

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final long startedNanos = System.nanoTime();
  private final PrintStream out;
  private final Supplier<String> status;

  private Progress(PrintStream out, Supplier<String> status) {
    this.out = out;
    this.status = status;
  }

  /** What takes its time. */
  @FunctionalInterface
  public interface Task<T, E extends Exception> {
    /** Runs. */
    T run() throws E;
  }

  /** Runs {@code task} and prints the status after each {@code interval} until it ends. */
  public static <T, E extends Exception> T during(
      PrintStream out, Duration interval, Supplier<String> status, Task<T, E> task) throws E {
    Progress progress = new Progress(out, status);
    long millis = interval.toMillis();
    var unused =
        progress.clock.scheduleWithFixedDelay(
            progress::print, millis, millis, TimeUnit.MILLISECONDS);
    try {
      return task.run();
    } finally {
      progress.clock.shutdownNow();
    }
  }

  private void print() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
    out.printf("%4d s  %s%n", seconds, status.get());
  }
}

package dev.fencedoutbox.it.process;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line now and then, a whole one, so that it reads alike on a terminal and in a log. */
public final class Progress implements AutoCloseable {

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final long startedNanos = System.nanoTime();
  private final PrintStream out;
  private final Supplier<String> status;

  private Progress(PrintStream out, Supplier<String> status) {
    this.out = out;
    this.status = status;
  }

  /** Begins after the first {@code interval}. */
  public static Progress start(PrintStream out, Duration interval, Supplier<String> status) {
    Progress progress = new Progress(out, status);
    long millis = interval.toMillis();
    var unused =
        progress.clock.scheduleWithFixedDelay(
            progress::print, millis, millis, TimeUnit.MILLISECONDS);
    return progress;
  }

  private void print() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
    out.printf("%4d s  %s%n", seconds, status.get());
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}

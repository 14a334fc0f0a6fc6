package dev.fencedoutbox.it.demo;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line each second, a whole one, so that it reads alike on a terminal and in a log. */
final class Progress {

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final long startedNanos = System.nanoTime();
  private final PrintStream out;
  private final Supplier<String> status;

  private Progress(PrintStream out, Supplier<String> status) {
    this.out = out;
    this.status = status;
  }

  static Progress start(PrintStream out, Supplier<String> status) {
    Progress progress = new Progress(out, status);
    var unused = progress.clock.scheduleWithFixedDelay(progress::print, 1, 1, TimeUnit.SECONDS);
    return progress;
  }

  private void print() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
    out.printf("%4d s  %s%n", seconds, status.get());
  }

  void stop() {
    clock.shutdownNow();
  }
}

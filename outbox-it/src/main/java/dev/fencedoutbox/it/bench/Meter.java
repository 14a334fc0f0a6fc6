package dev.fencedoutbox.it.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Reads what a contender used. */
final class Meter {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  private final BenchDatabase database;

  Meter(BenchDatabase database) {
    this.database = database;
  }

  /** What is done and how long it took, in nanoseconds, by its own watch. */
  @FunctionalInterface
  interface Timed {
    long run() throws Exception;
  }

  /** Lets it drain so many of what it has been filled with. */
  Drain drain(Contender contender, int messages) throws Exception {
    return measure(messages, () -> contender.drainNanos(messages));
  }

  Drain measure(int messages, Timed timed) throws Exception {
    long commits = database.commits();
    long wal = database.walPosition();
    long cpu = SYSTEM.getProcessCpuTime();
    long compiler = compilerNanos();
    long nanos = timed.run();
    long compilerUsed = compilerNanos() - compiler;
    long cpuUsed = SYSTEM.getProcessCpuTime() - cpu;
    long walWritten = database.walPosition() - wal;
    return new Drain(
        messages, nanos, walWritten, database.commits() - commits, cpuUsed, compilerUsed);
  }

  /** What Java's compiler has taken until now. */
  static long compilerNanos() {
    return TimeUnit.MILLISECONDS.toNanos(COMPILER.getTotalCompilationTime());
  }
}

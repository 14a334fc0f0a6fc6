package dev.fencedoutbox.it.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Reads what a contender used. */
final class Meter {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

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
    long nanos = timed.run();
    long cpuUsed = SYSTEM.getProcessCpuTime() - cpu;
    long walWritten = database.walPosition() - wal;
    return new Drain(messages, nanos, walWritten, database.commits() - commits, cpuUsed);
  }
}

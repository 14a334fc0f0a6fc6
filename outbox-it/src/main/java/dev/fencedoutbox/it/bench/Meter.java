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

  /** Lets it drain so many of what it has been filled with. */
  Drain drain(Contender contender, int messages) throws Exception {
    long commits = database.commits();
    long wal = database.walPosition();
    long cpu = SYSTEM.getProcessCpuTime();
    long nanos = contender.drainNanos(messages);
    long cpuUsed = SYSTEM.getProcessCpuTime() - cpu;
    long walWritten = database.walPosition() - wal;
    return new Drain(messages, nanos, walWritten, database.commits() - commits, cpuUsed);
  }
}

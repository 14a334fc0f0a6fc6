package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.process.JvmProcess;
import java.net.URI;

/** The handle on a relay in a process of its own. */
final class RelayProcess implements AutoCloseable {

  private final JvmProcess process;
  private volatile boolean ready;
  private volatile boolean holding;
  private volatile RelayTally tally = RelayTally.NOTHING;

  /**
   * Starts one; it works once it is told to {@link #go}.
   *
   * @param heldFrom the event that it has delivered and does not record until {@link #release}
   */
  RelayProcess(String name, String databaseUrl, URI endpoint, int heldFrom) {
    process =
        JvmProcess.running(name, RelayMain.class)
            .option("-Xmx128m")
            .environment(RelayMain.DATABASE, databaseUrl)
            .start(this::hear, name, endpoint.toString(), Integer.toString(heldFrom));
  }

  private void hear(String line) {
    if (line.equals(RelayMain.READY)) {
      ready = true;
    } else if (line.equals(RelayMain.HELD)) {
      holding = true;
    }
    RelayTally.parse(line).ifPresent(latest -> tally = latest);
  }

  String name() {
    return process.name();
  }

  /** Whether it is connected to the database. */
  boolean isReady() {
    if (!ready) {
      process.requireAlive();
    }
    return ready;
  }

  /** Whether it has delivered something whose record is held back. */
  boolean isHolding() {
    if (!holding) {
      process.requireAlive();
    }
    return holding;
  }

  /** Lets it record what it holds back. */
  void release() {
    process.say(RelayMain.RELEASE);
  }

  /** What it has printed last; a process that was killed prints no more. */
  RelayTally tally() {
    return tally;
  }

  void go() {
    process.say("go");
  }

  /** Tells it to end, and waits; the exit status. */
  int stop() {
    process.say(RelayMain.STOP);
    return process.exitStatus();
  }

  /** SIGKILL; the exit status. */
  int kill() {
    return process.kill();
  }

  /** SIGSTOP: the whole process stands still. */
  void freeze() {
    process.freeze();
  }

  /** SIGCONT. */
  void thaw() {
    process.thaw();
  }

  @Override
  public void close() {
    process.close();
  }
}

package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.process.JvmProcess;
import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.it.soak.Fault.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One of the relays, a process after the other: what is killed comes back under a new name. Its
 * thread strikes it again and again until there is peace.
 */
final class RelaySlot implements Runnable, AutoCloseable {

  private static final Duration SHORTEST_RESPITE = Duration.ofSeconds(1);
  private static final Duration LONGEST_RESPITE = Duration.ofSeconds(6);

  /** How the slots share what they write to. */
  record Surroundings(
      String databaseUrl, DSLContext dsl, FaultLog faults, Path logs, CountDownLatch peace) {}

  private final String name;
  private final Surroundings around;
  private final Random random;
  private volatile Kind next;
  private volatile boolean ready;
  private final AtomicInteger starts = new AtomicInteger();
  private volatile JvmProcess process;
  private volatile @Nullable String problem;

  /**
   * @param first what is done to it first
   */
  RelaySlot(String name, Kind first, long seed, Surroundings around) {
    this.name = name;
    this.next = first;
    this.random = new Random(seed);
    this.around = around;
    this.process = start();
  }

  private JvmProcess start() {
    ready = false;
    String incarnation = name + "." + starts.incrementAndGet();
    return JvmProcess.running(incarnation, SoakRelay.class)
        .option("-Xmx96m")
        .environment(SoakRelay.DATABASE, around.databaseUrl())
        .errorsTo(around.logs().resolve(incarnation + ".log"))
        .start(
            line -> {
              if (line.equals(SoakRelay.READY)) {
                ready = true;
              }
            },
            incarnation);
  }

  boolean isReady() {
    if (!ready) {
      process.requireAlive();
    }
    return ready;
  }

  int starts() {
    return starts.get();
  }

  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public void run() {
    try {
      while (!around.peace().await(respite().toMillis(), TimeUnit.MILLISECONDS)) {
        process.requireAlive();
        strike(next);
        next = anyKind();
      }
    } catch (InterruptedException e) {
      problem = "The thread that strikes " + name + " was interrupted";
    } catch (RuntimeException e) {
      problem = e.toString();
    }
  }

  private Duration respite() {
    return between(SHORTEST_RESPITE, LONGEST_RESPITE);
  }

  private Kind anyKind() {
    int dice = random.nextInt(100);
    if (dice < 25) {
      return Kind.KILL;
    }
    if (dice < 60) {
      return Kind.FREEZE;
    }
    return dice < 92 ? Kind.TERMINATION : Kind.STOP;
  }

  private void strike(Kind kind) {
    JvmProcess struck = process;
    switch (kind) {
      case KILL -> {
        around.faults().during(struck.name(), kind, struck::kill);
        restart();
      }
      case FREEZE -> around.faults().during(struck.name(), kind, () -> freeze(struck));
      case TERMINATION -> around.faults().during(struck.name(), kind, () -> cutOff(struck));
      case STOP -> {
        around.faults().during(struck.name(), kind, () -> requireGood(struck));
        restart();
      }
      case STALL -> throw new IllegalArgumentException("Nobody can order a stall");
    }
  }

  private void restart() {
    process = start();
    Waiting.until(this::isReady, name + " did not start again");
  }

  /** Most often for longer than its leases last. */
  private void freeze(JvmProcess struck) {
    struck.freeze();
    try {
      Duration standing = between(SoakRelay.LEASE.dividedBy(4), SoakRelay.LEASE.multipliedBy(2));
      if (around.peace().await(standing.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    } finally {
      struck.thaw();
    }
  }

  /** Terminates one of its connections, or all. */
  private void cutOff(JvmProcess struck) {
    around
        .dsl()
        .execute(
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                + " WHERE application_name = ? ORDER BY state, pid LIMIT ?) backend",
            Pools.ofRelay(struck.name()),
            random.nextBoolean() ? 1 : 3);
  }

  private Duration between(Duration shortest, Duration longest) {
    return shortest.plusMillis(random.nextLong(longest.minus(shortest).toMillis()));
  }

  /** Tells it to end, and waits. */
  void stop() {
    requireGood(process);
  }

  private static void requireGood(JvmProcess process) {
    process.say("stop");
    int status = process.exitStatus();
    if (status != 0) {
      throw new IllegalStateException(
          "%s ended with exit status %d.".formatted(process.name(), status));
    }
  }

  @Override
  public void close() {
    process.close();
  }
}

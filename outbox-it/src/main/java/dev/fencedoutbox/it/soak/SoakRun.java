package dev.fencedoutbox.it.soak;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.it.process.Progress;
import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.it.soak.Fault.Kind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jooq.DSLContext;

/**
 * Produces and strikes for a while, lets the relays drain what is left, and reads what happened.
 */
final class SoakRun implements AutoCloseable {

  /** What was done. */
  record Figures(
      int processes,
      long kills,
      long freezes,
      long terminations,
      long stops,
      long stalls,
      long keyed,
      int rolledBack) {}

  private static final int PRODUCERS = 3;
  private static final int ENOUGH_WAITING = 300;
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration PROGRESS = Duration.ofSeconds(5);

  /** Each first does another thing, so that a short soak has seen the worst. */
  private static final List<Kind> FIRST =
      List.of(Kind.KILL, Kind.FREEZE, Kind.TERMINATION, Kind.FREEZE);

  private final DSLContext dsl;
  private final PrintStream out;
  private final FaultLog faults;
  private final Producers producers;
  private final CountDownLatch peace = new CountDownLatch(1);
  private final List<RelaySlot> slots = new ArrayList<>();
  private final List<Thread> strikers = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private volatile int waiting;

  SoakRun(DSLContext dsl, PrintStream out) {
    this.dsl = dsl;
    this.out = out;
    this.faults = new FaultLog(dsl);
    this.producers = new Producers(dsl, this::isEnough);
  }

  /** Everything that happened. */
  History run(String databaseUrl, long seed, Duration length, Path logs)
      throws InterruptedException {
    for (int i = 0; i < FIRST.size(); i++) {
      RelaySlot slot =
          new RelaySlot(
              "r" + (i + 1),
              FIRST.get(i),
              seed * 17 + i,
              new RelaySlot.Surroundings(databaseUrl, dsl, faults, logs, peace));
      slots.add(slot);
      strikers.add(new Thread(slot, "striker " + (i + 1)));
    }
    slots.forEach(slot -> Waiting.until(slot::isReady, "A relay did not start"));
    producers.start(PRODUCERS, seed);
    strikers.forEach(Thread::start);
    return Progress.during(out, PROGRESS, this::status, () -> soak(length));
  }

  private History soak(Duration length) throws InterruptedException {
    produceFor(length);
    producers.stop();
    makePeace();
    drain();
    return HistoryReader.read(dsl, producers.said(), faults.all());
  }

  private void produceFor(Duration length) {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < length.toNanos()) {
      waiting = left();
      Waiting.pause(LOOK);
    }
  }

  private void makePeace() throws InterruptedException {
    peace.countDown();
    for (Thread striker : strikers) {
      striker.join(2 * Waiting.PATIENCE.toMillis());
    }
    slots.forEach(slot -> slot.problem().ifPresent(problems::add));
    problems.addAll(producers.problems());
  }

  private void drain() {
    if (!Waiting.within(Waiting.PATIENCE, () -> left() == 0)) {
      problems.add("%d deliveries were left after %s".formatted(left(), Waiting.PATIENCE));
    }
    for (RelaySlot slot : slots) {
      try {
        slot.stop();
      } catch (RuntimeException e) {
        problems.add(e.toString());
      }
    }
  }

  private int left() {
    return dsl.fetchCount(DELIVERY, DELIVERY.CHANNEL.eq(SoakTopic.CHANNEL.name()));
  }

  private boolean isEnough() {
    return waiting >= ENOUGH_WAITING;
  }

  private String status() {
    return "committed %6d   delivered %6d   waiting %4d   kills %3d   freezes %3d   cut off %3d"
        .formatted(
            producers.saidCount(),
            dsl.fetchCount(RECEIPT, RECEIPT.CHANNEL.eq(SoakTopic.CHANNEL.name())),
            left(),
            faults.count(Kind.KILL),
            faults.count(Kind.FREEZE),
            faults.count(Kind.TERMINATION));
  }

  Figures figures(History history) {
    return new Figures(
        slots.stream().mapToInt(RelaySlot::starts).sum(),
        faults.count(Kind.KILL),
        faults.count(Kind.FREEZE),
        faults.count(Kind.TERMINATION),
        faults.count(Kind.STOP),
        history.faults().stream().filter(fault -> fault.kind() == Kind.STALL).count(),
        history.said().stream().filter(said -> said.orderingKey() != null).count(),
        producers.rolledBack());
  }

  /** What went wrong with the run itself. */
  List<String> problems() {
    return problems;
  }

  @Override
  public void close() {
    slots.forEach(RelaySlot::close);
  }
}

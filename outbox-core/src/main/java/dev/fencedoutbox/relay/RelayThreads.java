package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Loop;
import dev.fencedoutbox.relay.Work.Stage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The four threads of a relay, from their start to their end. */
final class RelayThreads {

  private static final Logger LOG = LoggerFactory.getLogger(RelayThreads.class);
  private static final Duration SHORTEST_TICK = Duration.ofMillis(1);
  private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

  private final String name;
  private final Engine engine;
  private final RelayDatabase database;
  private final Pace pace;
  private final Pace recordPace;
  private final Duration leaseFor;
  private final Runnable afterEnd;
  private final Loop claiming;
  private final Loop recording;
  private final Loop renewing;
  private final Loop watching;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<CloseReport> closed = new CompletableFuture<>();
  private volatile long releasedBefore;
  private boolean checked;

  RelayThreads(
      String name, Engine engine, RelayDatabase database, RelayOptions options, Runnable afterEnd) {
    this.name = name;
    this.engine = engine;
    this.database = database;
    this.pace = new Pace(options.pacing(), ThreadLocalRandom.current());
    this.recordPace = new Pace(options.pacing(), ThreadLocalRandom.current());
    this.leaseFor = options.terms().leaseFor();
    this.afterEnd = afterEnd;
    this.claiming = new Loop(name + " claims", this::claim);
    this.recording = new Loop(name + " records", this::record);
    this.renewing = new Loop(name + " renews", this::renew);
    this.watching = new Loop(name + " watches", this::watch);
  }

  void start(boolean alreadyChecked) {
    checked = alreadyChecked;
    List.of(claiming, recording, renewing, watching).forEach(Loop::start);
  }

  private void claim() throws InterruptedException {
    if (!checked && !check()) {
      return;
    }
    if (!engine.isWorthwhile()) {
      engine.room().await(tick(1));
      return;
    }
    Tried<Claimer.Step> tried = engine.claim();
    engine.dispatcher().startWorkers();
    if (tried instanceof Tried.Failed<Claimer.Step> failed) {
      claiming.pause(afterFailure("claim", failed.fault(), pace));
      return;
    }
    Claimer.Step step = ((Tried.Done<Claimer.Step>) tried).value();
    Duration pause = pace.afterClaim(step.found() > 0, step.more());
    if (!pause.isZero() && !claiming.isEnding()) {
      engine.wakeups().await(pause);
    }
  }

  private boolean check() throws InterruptedException {
    Tried<Integer> tried = database.check();
    if (tried instanceof Tried.Failed<Integer> failed) {
      claiming.pause(afterFailure("reach the outbox", failed.fault(), pace));
      return false;
    }
    checked = true;
    return true;
  }

  private static Duration afterFailure(String what, Fault fault, Pace pace) {
    Duration pause = pace.afterFailure();
    LOG.warn(
        "Could not {} (SQLSTATE {}): {}. Nothing is lost; it is tried again in {}.",
        what,
        fault.sqlState(),
        String.valueOf(fault.cause()),
        pause);
    return pause;
  }

  private void record() throws InterruptedException {
    engine.recorder().awaitAnswer(tick(4));
    boolean settled = engine.recorder().writeAnswered();
    if (engine.recorder().isFailing()) {
      recording.pause(recordPace.afterFailure());
    } else if (settled) {
      recordPace.succeeded();
    }
  }

  private void renew() throws InterruptedException {
    engine.renewer().renewDue();
    renewing.pause(tick(6));
  }

  private void watch() throws InterruptedException {
    engine.watch().look();
    engine.dispatcher().startWorkers(); // in case the executor took none before
    watching.pause(tick(20));
  }

  /** A fraction of a lease, within bounds. */
  private Duration tick(int fraction) {
    return Durations.clamp(leaseFor.dividedBy(fraction), SHORTEST_TICK, LONGEST_TICK);
  }

  CloseReport close(Duration timeout) {
    Durations.requireBetween("timeout", timeout, Duration.ZERO, Duration.ofDays(1));
    if (closing.compareAndSet(false, true)) {
      try {
        end(System.nanoTime(), timeout);
      } finally {
        closed.complete(report());
      }
    }
    return reportWithin(timeout);
  }

  /** Of the first close, as far as it is by then. */
  private CloseReport reportWithin(Duration timeout) {
    try {
      return closed.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("{} is still closing, for another thread", name);
    }
    return report();
  }

  private CloseReport report() {
    long released = engine.tally().released.sum() - releasedBefore;
    return new CloseReport(Math.toIntExact(released), engine.holdings().size());
  }

  private void end(long begunNanos, Duration timeout) {
    long lastCallNanos = begunNanos + timeout.toNanos() * 4 / 5;
    long deadlineNanos = begunNanos + timeout.toNanos();
    releasedBefore = engine.tally().released.sum();
    try {
      claiming.end();
      engine.wakeups().raise();
      engine.room().raise();
      claiming.awaitEnd(until(lastCallNanos));
      engine.releaseWaiting();
      if (!await(() -> engine.holdings().size() == 0, lastCallNanos)) {
        engine.holdings().at(Stage.RUNNING).forEach(Work::interrupt);
        await(() -> engine.holdings().size() == 0, deadlineNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry
    }
    endOthers(deadlineNanos);
    LOG.info("{} is closed: {}", name, report());
  }

  private void endOthers(long deadlineNanos) {
    List<Loop> others = List.of(recording, renewing, watching);
    others.forEach(Loop::end);
    engine.recorder().wakeUp();
    afterEnd.run();
    try {
      for (Loop other : others) {
        other.awaitEnd(until(deadlineNanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration until(long nanos) {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  private boolean await(BooleanSupplier condition, long deadlineNanos) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Duration left = until(deadlineNanos);
      if (left.isZero()) {
        return false;
      }
      engine.room().await(Durations.atMost(left, LONGEST_TICK));
    }
    return true;
  }
}

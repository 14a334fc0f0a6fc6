package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jooq.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of an engine, from their start to their end: four, and a fifth from its first backlog
 * on.
 */
public final class EngineThreads {

  private static final Logger LOG = LoggerFactory.getLogger(EngineThreads.class);
  private static final Duration SHORTEST_TICK = Duration.ofMillis(1);
  private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

  private final String name;
  private final Engine<?> engine;
  private final OwnTransactions database;
  private final Table<?> table;
  private final Pace pace;
  private final Pace besidePace;
  private final Pace recordPace;
  private final Duration leaseFor;
  private final Runnable afterEnd;
  private final Loop claiming;
  private final Loop claimingBeside;
  private final Loop recording;
  private final Loop renewing;
  private final Loop watching;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Ending> closed = new CompletableFuture<>();
  private volatile long releasedBefore;
  private boolean checked;
  private boolean besideStarted;

  /** Not started yet. */
  public EngineThreads(String name, Engine<?> engine, Engine.Parts<?> parts, Runnable afterEnd) {
    this.name = name;
    this.engine = engine;
    this.database = parts.database();
    this.table = Objects.requireNonNull(parts.trade().key().getTable());
    this.pace = pace(parts.terms());
    this.besidePace = pace(parts.terms());
    this.recordPace = pace(parts.terms());
    this.leaseFor = parts.terms().leaseFor();
    this.afterEnd = afterEnd;
    this.claiming = new Loop(name + " claims", this::claim);
    this.claimingBeside = new Loop(name + " claims beside", this::claimBeside);
    this.recording = new Loop(name + " records", this::record);
    this.renewing = new Loop(name + " renews", this::renew);
    this.watching = new Loop(name + " watches", this::watch);
  }

  private static Pace pace(Terms terms) {
    return new Pace(terms.shortestPoll(), terms.longestPoll(), new SplittableRandom());
  }

  /** Starts them; if the database was not reached yet, they begin when it can be. */
  public void start(boolean alreadyChecked) {
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
    Tried<Step> tried = engine.claim(engine.dispatcher()::startWorkers);
    if (tried instanceof Tried.Failed<Step> failed) {
      claiming.pause(afterFailure("claim", failed.fault(), pace));
      return;
    }
    if (engine.isBehind() && !besideStarted) {
      besideStarted = true;
      claimingBeside.start();
    }
    Step step = ((Tried.Done<Step>) tried).value();
    Duration pause = pace.afterClaim(step.found() > 0, step.more());
    if (!pause.isZero() && !claiming.isEnding()) {
      engine.wakeups().await(pause);
    }
  }

  private void claimBeside() throws InterruptedException {
    engine.backlog().await(tick(1));
    while (engine.isWorthwhileBeside() && !claimingBeside.isEnding()) {
      Tried<Step> tried = engine.claimBeside(engine.dispatcher()::startWorkers);
      if (tried instanceof Tried.Failed<Step> failed) {
        claimingBeside.pause(afterFailure("claim beside the first", failed.fault(), besidePace));
      } else if (((Tried.Done<Step>) tried).value().found() > 0) {
        besidePace.succeeded();
      }
    }
  }

  private boolean check() throws InterruptedException {
    Tried<Integer> tried = database.check(table);
    if (tried instanceof Tried.Failed<Integer> failed) {
      claiming.pause(afterFailure("reach the table", failed.fault(), pace));
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
    boolean unused = engine.record();
    if (engine.recorder().isFailing()) {
      recording.pause(recordPace.afterFailure());
    } else {
      recordPace.succeeded();
    }
  }

  private void renew() throws InterruptedException {
    engine.renew();
    renewing.pause(tick(6));
  }

  private void watch() throws InterruptedException {
    engine.watch();
    engine.dispatcher().startWorkers(); // in case the executor took none before
    watching.pause(tick(20));
  }

  /** A fraction of a lease, within bounds. */
  private Duration tick(int fraction) {
    return Durations.clamp(leaseFor.dividedBy(fraction), SHORTEST_TICK, LONGEST_TICK);
  }

  /** Ends them within {@code timeout}, 0 to 1 day; a second call waits for the end of the first. */
  public Ending close(Duration timeout) {
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
  private Ending reportWithin(Duration timeout) {
    try {
      return closed.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("{} is still closing, for another thread", name);
    }
    return report();
  }

  private Ending report() {
    long released = engine.tally().released.sum() - releasedBefore;
    return new Ending(Math.toIntExact(released), engine.holdings().size());
  }

  private void end(long begunNanos, Duration timeout) {
    long lastCallNanos = begunNanos + timeout.toNanos() * 4 / 5;
    long deadlineNanos = begunNanos + timeout.toNanos();
    releasedBefore = engine.tally().released.sum();
    claiming.end();
    claimingBeside.end();
    engine.wakeups().raise();
    engine.room().raise();
    engine.backlog().raise();
    engine.beginNothing(); // now, since a claim may hang
    try {
      claiming.awaitEnd(until(lastCallNanos));
      claimingBeside.awaitEnd(until(lastCallNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry
    }
    engine.releaseWaiting(); // not before: a claim would take it again
    try {
      if (!await(() -> engine.holdings().size() == 0, lastCallNanos)) {
        engine.holdings().at(Stage.RUNNING).forEach(Work::interrupt);
        await(() -> engine.holdings().size() == 0, deadlineNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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

package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A leased row in this engine's hands, and how far it is. Thread-safe: whatever changes it holds
 * its monitor.
 */
public abstract class Work {

  /** Each comes after the one before it; only an answer whose record failed goes a step back. */
  enum Stage {
    WAITING,
    RUNNING,
    ANSWERED,
    WRITING,
    ENDED
  }

  /** Why its handler is to stop. */
  private enum Stop {
    /** Its lease is lost. */
    LOST,
    /** An earlier one of its key was not delivered; the lease holds, and can be handed back. */
    ABORTED
  }

  /** The share of a lease that must be left to begin or to go on. */
  private static final int MARGIN = 10;

  private final Claimed<Long, ?> claimed;
  private final LongSupplier nanoClock;
  private final long takenNanos;
  private Lease<Long> lease;
  private Stage stage = Stage.WAITING;
  private volatile @Nullable Stop stop; // read while other works' monitors are held
  private volatile boolean recordFails;
  private volatile boolean renewalFails;
  private volatile boolean settling;
  private volatile boolean over;
  private boolean uncertain;
  private boolean handedOver;
  private @Nullable Call call;
  private @Nullable Run<?> run;

  /** What a claim brought just now. */
  protected Work(Claimed<Long, ?> claimed, LongSupplier nanoClock) {
    this.claimed = claimed;
    this.nanoClock = nanoClock;
    this.takenNanos = nanoClock.getAsLong();
    this.lease = claimed.lease();
  }

  /** Before anybody else sees it. */
  void joins(Run<?> itsRun) {
    run = itsRun;
  }

  Run<?> run() {
    return Objects.requireNonNull(run);
  }

  /** Whether it has to be recorded after {@code other}. */
  boolean comesAfter(Work other) {
    return run() == other.run() && run().isOrdered() && lease().key() > other.lease().key();
  }

  synchronized Stage stage() {
    return stage;
  }

  /** Hands it to a handler, unless it is lost or as good as lost. */
  synchronized boolean begin(Call by) {
    if (stage != Stage.WAITING || !isHeld()) {
      return false;
    }
    stage = Stage.RUNNING;
    call = by;
    by.add(this);
    return true;
  }

  /** The handler has returned; false if its lease was lost meanwhile. */
  synchronized boolean answer() {
    stage = Stage.ANSWERED;
    call = null;
    return !isLost();
  }

  /** It is the recorder's now, or out of this relay's hands. */
  synchronized void handOver() {
    handedOver = true;
  }

  synchronized boolean isHandedOver() {
    return handedOver;
  }

  synchronized void writing() {
    stage = Stage.WRITING;
  }

  /** Takes it from whoever was to begin it; false if it was begun or taken before. */
  synchronized boolean takeBack() {
    boolean waiting = stage == Stage.WAITING;
    if (waiting) {
      stage = Stage.ANSWERED;
    }
    return waiting;
  }

  /** A record of it failed or has to wait; the failure may have come after it took place. */
  synchronized void notWritten(boolean perhapsWritten) {
    stage = Stage.ANSWERED;
    uncertain |= perhapsWritten;
  }

  /** Its handler is about to end the claim itself. */
  public void settling() {
    settling = true;
  }

  /** It did not. */
  public void notSettled() {
    settling = false;
  }

  boolean isSettling() {
    return settling;
  }

  /** Its handler has ended the claim itself and has not returned yet: there is nothing to keep. */
  void over() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** Its record fails even alone: it is tried by itself, after the others, and its lease lapses. */
  void recordFails() {
    recordFails = true;
  }

  boolean isRecordFailing() {
    return recordFails;
  }

  /** Its renewal fails even alone: it is tried by itself, after the others. */
  void renewalFails() {
    renewalFails = true;
  }

  boolean isRenewalFailing() {
    return renewalFails;
  }

  synchronized boolean isUncertain() {
    return uncertain;
  }

  synchronized void end() {
    stage = Stage.ENDED;
    call = null;
    handedOver = true;
  }

  /**
   * Not to be trusted any more: its handler is told. False if it was lost before or is answered.
   */
  synchronized boolean lose() {
    if (isLost() || (stage != Stage.WAITING && stage != Stage.RUNNING)) {
      return false;
    }
    stop(Stop.LOST);
    return true;
  }

  /** An earlier one of its key was not delivered: its handler is told, if one is at work. */
  synchronized void abort() {
    if (stop == null && stage == Stage.RUNNING) {
      stop(Stop.ABORTED);
    }
  }

  private void stop(Stop why) {
    stop = why;
    if (call != null) {
      call.interruptIfAllStopped();
    }
  }

  boolean isLost() {
    return stop == Stop.LOST;
  }

  boolean isStopped() {
    return stop != null;
  }

  synchronized void renewed(Lease<Long> later) {
    lease = later;
    renewalFails = false;
  }

  /** Whether its lease has used up so much of its length that it should be renewed. */
  boolean isRenewalDue(long nowNanos) {
    Lease<Long> held = lease();
    return held.trustLeft(nowNanos).compareTo(held.leaseFor().multipliedBy(2).dividedBy(3)) < 0;
  }

  /** Whether it can be trusted for a tenth of its lease. */
  boolean isTrusted(long nowNanos) {
    Lease<Long> held = lease();
    return held.trustLeft(nowNanos).compareTo(held.leaseFor().dividedBy(MARGIN)) > 0;
  }

  Duration inHandFor(long nowNanos) {
    return Duration.ofNanos(nowNanos - takenNanos);
  }

  /** How long its handler has been at work; zero if none is. */
  synchronized Duration runningFor(long nowNanos) {
    return call == null ? Duration.ZERO : call.runningFor(nowNanos);
  }

  /** Interrupts its handler, if one is at work. */
  void interrupt() {
    Call current = call();
    if (current != null) {
      current.interrupt();
    }
  }

  synchronized @Nullable Call call() {
    return call;
  }

  /** The lease as it stands. */
  public synchronized Lease<Long> lease() {
    return lease;
  }

  /** Which attempt this is, 1 for the first. */
  public int number() {
    return claimed.lease().attempts();
  }

  /** Whether an earlier claim ended by an expired lease. */
  public boolean reclaimed() {
    return claimed.reclaimed();
  }

  /** Whether to go on. */
  public boolean isHeld() {
    return !over && !isStopped() && isTrusted(nanoClock.getAsLong());
  }

  /** How long the lease can be trusted unless it is renewed; zero once it cannot. */
  public Duration trustLeft() {
    Duration left = lease().trustLeft(nanoClock.getAsLong());
    return over || isStopped() || left.isNegative() ? Duration.ZERO : left;
  }
}

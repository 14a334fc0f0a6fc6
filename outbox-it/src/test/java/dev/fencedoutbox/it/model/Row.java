package dev.fencedoutbox.it.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a leased table, and what each verb makes of it: the executable protocol. {@code number}
 * is its key in the database, which the model only knows once it has seen the row.
 */
record Row(
    Id id,
    long number,
    @Nullable String key,
    State state,
    long epoch,
    int attempts,
    @Nullable Time leaseUntil,
    Time due,
    @Nullable String owner,
    @Nullable String error) {

  /** The lease that a claim gives. */
  static final Duration LEASE = Duration.ofDays(10);

  private static final Duration AGO = Duration.ofHours(-1);

  /** From here on, numbers stand for rows that were not seen yet, in the order of their making. */
  static final long UNSEEN = Long.MAX_VALUE / 2;

  /** What a row is, under whatever label. */
  enum State {
    READY,
    LEASED,
    DONE,
    DEAD
  }

  static Row waiting(Id id, long number, @Nullable String key, Time due) {
    return new Row(id, number, key, State.READY, 0, 0, null, due, null, null);
  }

  boolean isClaimable(Time now) {
    return due.isOverAt(now)
        && (state == State.READY || (leaseUntil != null && leaseUntil.isOverAt(now)));
  }

  boolean isHeldBy(Ref lease, Time now) {
    return epoch == lease.epoch() && isLeased(now);
  }

  boolean isLeased(Time now) {
    return leaseUntil != null && !leaseUntil.isOverAt(now);
  }

  Row claimed(String worker, int budget, Time now) {
    if (attempts < budget) {
      return with(State.LEASED, epoch + 1, attempts + 1, now.plus(LEASE), due, worker, error);
    }
    String last =
        error == null ? "none was reported; the worker died or its lease ran out." : error;
    return ended(
        State.DEAD, "The attempt budget of " + budget + " is used up. Last error: " + last);
  }

  Row renewed(Duration leaseFor, Time now) {
    Time until = Objects.requireNonNull(leaseUntil).orLater(now.plus(leaseFor));
    return with(state, epoch, attempts, until, due, owner, error);
  }

  Row retried(Duration after, String reason, Time now) {
    return with(State.READY, epoch, attempts, null, now.plus(after), null, reason);
  }

  Row released() {
    return with(State.READY, epoch, Math.max(attempts - 1, 0), null, due, null, error);
  }

  Row postponed(Duration after, Time now) {
    Row released = released();
    return released.with(State.READY, epoch, released.attempts, null, now.plus(after), null, error);
  }

  /** Done or DEAD. */
  Row ended(State end, @Nullable String reason) {
    return with(end, epoch, attempts, null, Time.NEVER, null, reason);
  }

  Row expired(Time now) {
    return with(state, epoch, attempts, now.plus(AGO), due, owner, error);
  }

  Row madeDue(Time now) {
    return with(state, epoch, attempts, leaseUntil, now.plus(AGO), owner, error);
  }

  Row redriven(Time now) {
    return with(State.READY, epoch, 0, null, now, null, error);
  }

  Row skipped() {
    return new Row(id, number, null, state, epoch, attempts, leaseUntil, due, owner, error);
  }

  private Row with(
      State toState,
      long toEpoch,
      int toAttempts,
      @Nullable Time until,
      Time toDue,
      @Nullable String toOwner,
      @Nullable String toError) {
    return new Row(id, number, key, toState, toEpoch, toAttempts, until, toDue, toOwner, toError);
  }

  /** Where the row of the database is not as this one foretells. */
  List<String> differences(Row seen) {
    List<String> all = new ArrayList<>();
    compare(all, "key", key, seen.key);
    compare(all, "state", state, seen.state);
    compare(all, "epoch", epoch, seen.epoch);
    compare(all, "attempts", attempts, seen.attempts);
    compare(all, "owner", owner, seen.owner);
    compare(all, "error", error, seen.error);
    compareTime(all, "lease_until", leaseUntil, seen.leaseUntil);
    compareTime(all, "due", due, seen.due);
    if (number < UNSEEN) {
      compare(all, "number", number, seen.number);
    }
    return all;
  }

  private void compare(
      List<String> all, String what, @Nullable Object mine, @Nullable Object seen) {
    if (!Objects.equals(mine, seen)) {
      all.add("%s: %s is %s in the database and %s in the model".formatted(id, what, seen, mine));
    }
  }

  private void compareTime(
      List<String> all, String what, @Nullable Time mine, @Nullable Time seen) {
    if (mine == null || seen == null || !mine.includes(seen)) {
      compare(all, what, mine, seen);
    }
  }
}

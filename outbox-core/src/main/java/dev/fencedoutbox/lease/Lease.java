package dev.fencedoutbox.lease;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Objects;

/**
 * The right to act on one row until a deadline, as its holder knows it: a value that only a claim
 * or a renewal hands out. Every write takes a lease, never an id.
 *
 * <p>Two clocks, one job each. The database alone decides whether the lease still holds, each time
 * something is written under it. {@link #trustLeft} tells the holder, by its own monotonic clock,
 * how long it may still believe so; the reading was taken <i>before</i> the claim or renewal was
 * sent, so a slow answer cannot stretch it.
 *
 * <p>Immutable and thread-safe. Two leases are equal if they are the same claim of the same row.
 *
 * @param <K> the type of the table's key
 */
public final class Lease<K> {

  private final LeaseTable<K, ?> table;
  private final K key;
  private final Epoch epoch;
  private final int attempts;
  private final OffsetDateTime leaseUntil;
  private final Duration leaseFor;
  private final long sentNanos;

  Lease(LeaseTable<K, ?> table, K key, Epoch epoch, int attempts, OffsetDateTime until, Term term) {
    this.table = table;
    this.key = key;
    this.epoch = epoch;
    this.attempts = attempts;
    this.leaseUntil = until;
    this.leaseFor = term.leaseFor();
    this.sentNanos = term.sentNanos();
  }

  /** How long was asked for, and the local clock just before the statement was sent. */
  record Term(Duration leaseFor, long sentNanos) {}

  /** The table of the leased row. */
  public LeaseTable<K, ?> table() {
    return table;
  }

  /** The key of the leased row. */
  public K key() {
    return key;
  }

  /** The number of this claim. */
  public Epoch epoch() {
    return epoch;
  }

  /** The attempts counted for this row, this claim included. */
  public int attempts() {
    return attempts;
  }

  /**
   * The deadline by the database's clock; for people, not for decisions on this machine's clock.
   */
  public OffsetDateTime leaseUntil() {
    return leaseUntil;
  }

  /** The length that was asked for. */
  public Duration leaseFor() {
    return leaseFor;
  }

  /**
   * How long the holder may still believe that the lease holds; negative once it may not.
   *
   * @param nowNanos a reading of the clock that the {@link Leases} was given, by default {@link
   *     System#nanoTime()}
   */
  public Duration trustLeft(long nowNanos) {
    return leaseFor.minusNanos(nowNanos - sentNanos);
  }

  Lease<K> renewed(OffsetDateTime until, Term term) {
    return new Lease<>(table, key, epoch, attempts, until, term);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Lease<?> that
        && table.sameTableAs(that.table)
        && key.equals(that.key)
        && epoch.equals(that.epoch);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, epoch);
  }

  @Override
  public String toString() {
    return "lease on %s %s, epoch %s, until %s".formatted(table, key, epoch, leaseUntil);
  }
}

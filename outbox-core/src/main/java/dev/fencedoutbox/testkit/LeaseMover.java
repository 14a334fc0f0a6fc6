package dev.fencedoutbox.testkit;

import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseFaults;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.RowCountQuery;

/**
 * A fault injector: it does to the rows of a leased table what otherwise only time and other
 * workers do, so that a test can make a worker late without waiting. It writes by the bare key,
 * which no application may.
 *
 * <p>Its writes belong to the caller's transaction if there is one. It never waits for a row that
 * somebody has locked. Thread-safe.
 *
 * @param <K> the type of the table's key
 */
public final class LeaseMover<K> {

  static final Leases ANOTHER = Leases.ownedBy("another owner");

  /** Nobody outlives it, and no row is ever spent. */
  static final ClaimTerms TERMS =
      ClaimTerms.leaseFor(Duration.ofMinutes(10)).withAttemptBudget(Integer.MAX_VALUE);

  private final DSLContext dsl;
  private final LeaseTable<K, ?> table;

  private LeaseMover(DSLContext dsl, LeaseTable<K, ?> table) {
    this.dsl = HostContext.of(dsl);
    this.table = table;
  }

  /** A mover of the leases on that table. */
  public static <K> LeaseMover<K> on(DSLContext dsl, LeaseTable<K, ?> table) {
    return new LeaseMover<>(dsl, table);
  }

  /**
   * Ends the lease on a row, as if its time were up: its owner is late from now on, and anybody may
   * claim it. A relay that is at work finds it with its next sweep.
   *
   * @throws AssertionError if nobody holds it, or somebody has locked it
   */
  public void expire(K key) {
    require(dsl.execute(LeaseFaults.expire(table, key)) == 1, key, "has no lease to expire");
  }

  /**
   * Ends the wait of a row, for its first attempt or its next one.
   *
   * @throws AssertionError if it does not wait, or somebody has locked it
   * @throws IllegalArgumentException if the table has no due time
   */
  public void makeDue(K key) {
    RowCountQuery due = LeaseFaults.makeDue(table, key);
    require(dsl.execute(due) == 1, key, "does not wait");
  }

  /**
   * Ends the lease on a row and lets another owner claim it, with the next epoch, for ten minutes.
   *
   * @return the other owner's lease
   * @throws AssertionError if nobody holds it, or somebody has locked it
   */
  public Lease<K> takeOver(K key) {
    Optional<Lease<K>> lease = tryTakeOver(key);
    require(lease.isPresent(), key, "has no lease to take over");
    return lease.orElseThrow();
  }

  /** Empty if nobody holds it, or somebody has locked it. */
  Optional<Lease<K>> tryTakeOver(K key) {
    return dsl.execute(LeaseFaults.expire(table, key)) == 0
        ? Optional.empty()
        : claim(dsl, table, ANOTHER, key);
  }

  static <K, V> Optional<Lease<K>> claim(
      DSLContext dsl, LeaseTable<K, V> table, Leases owner, K key) {
    return owner.claimByKey(dsl, table, TERMS, key).first().map(Claimed::lease);
  }

  private void require(boolean moved, K key, String problem) {
    if (!moved) {
      throw new AssertionError(
          "Row %s of %s %s, or an open transaction has locked it. Nothing was moved."
              .formatted(key, table, problem));
    }
  }
}

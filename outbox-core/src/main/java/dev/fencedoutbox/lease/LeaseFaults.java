package dev.fencedoutbox.lease;

import static dev.fencedoutbox.internal.DatabaseClock.clockTimestamp;
import static dev.fencedoutbox.internal.DatabaseClock.clockTimestampPlus;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;

import java.time.Duration;
import org.jooq.Condition;
import org.jooq.Record1;
import org.jooq.RowCountQuery;
import org.jooq.Select;

/**
 * What otherwise only time does to a row, at once and by its bare key: not for applications, but
 * for the package {@code testkit}, which makes late workers with it. A row that somebody has locked
 * is skipped, never waited for.
 *
 * <p>Thread-safe; the statements it returns are for one thread at a time, as jOOQ's are.
 */
public final class LeaseFaults {

  private static final Duration SECOND_AGO = Duration.ofSeconds(-1);

  private LeaseFaults() {}

  /** The row's lease is over; no row is written if nobody holds it. */
  public static <K> RowCountQuery expire(LeaseTable<K, ?> table, K key) {
    LeaseColumns<K> columns = table.columns();
    return update(columns.table())
        .set(columns.leaseUntil(), clockTimestampPlus(SECOND_AGO))
        .where(columns.key().in(unlocked(columns, key, columns.status().isInProgress())));
  }

  /**
   * The row waits no longer; no row is written if it does not wait.
   *
   * @throws IllegalArgumentException if the table has no due time
   */
  public static <K> RowCountQuery makeDue(LeaseTable<K, ?> table, K key) {
    LeaseColumns<K> columns = table.columns();
    if (columns.dueAt() == null) {
      throw new IllegalArgumentException(
          "Table %s has no due time, so its rows never wait. Nothing was sent. Leave it out, or name the column with LeaseTable.dueAt(...)."
              .formatted(table));
    }
    return update(columns.table())
        .set(columns.dueAt(), clockTimestamp())
        .where(columns.key().in(unlocked(columns, key, columns.status().isReady())));
  }

  private static <K> Select<Record1<K>> unlocked(LeaseColumns<K> columns, K key, Condition which) {
    return select(columns.key())
        .from(columns.table())
        .where(columns.key().eq(key))
        .and(which)
        .forNoKeyUpdate()
        .skipLocked();
  }
}

package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.HostContext;
import java.time.Duration;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Record4;

/**
 * Removes what is over and older than a limit: finished messages with their receipts, rows of the
 * inbox, and records of operators' actions, by one statement a batch. Any number of purges may run
 * at once, beside everything else; none of them waits for a lock.
 *
 * <pre>{@code
 * Retention month = Retention.olderThan(Duration.ofDays(30));
 * IdWalk walk = IdWalk.of(1_000);
 * do {
 *   walk = month.purgeMessages(dsl, walk).next();
 * } while (!walk.atStart());
 * }</pre>
 *
 * <p><b>Transactions.</b> Each call runs one statement on the caller's context, inside the caller's
 * transaction if there is one, and never begins, commits or rolls back anything. Let each batch
 * commit by itself.
 *
 * <p>Immutable and thread-safe.
 */
@CheckReturnValue
public final class Retention {

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final RetentionSql sql;

  private Retention(RetentionSql sql) {
    this.sql = sql;
  }

  /**
   * Removes what is at least as old as {@code age}, by the database's clock.
   *
   * @param age 0 to 36,500 days. A message that is gone deduplicates no more: the same event id is
   *     then a new event. So keep messages for longer than anybody may enqueue one again, and inbox
   *     rows for longer than anybody may deliver one again
   */
  public static Retention olderThan(Duration age) {
    return new Retention(
        new RetentionSql(Durations.requireBetween("age", age, Duration.ZERO, LONGEST)));
  }

  /**
   * Removes messages with their receipts that have no delivery left on any channel, and whose
   * enqueue and last receipt are older than the limit. Pending, leased, retrying and DEAD
   * deliveries keep their messages.
   *
   * <p>It starts again at the first message once it meets a batch without an old one.
   *
   * <p>A replay that commits while this statement runs can be overlooked by it. The database then
   * refuses the deletion with SQLSTATE 23503, constraint {@code delivery_message_fk}, and the whole
   * statement has removed nothing; run it again.
   */
  public Purged<IdWalk> purgeMessages(DSLContext dsl, IdWalk walk) {
    return byId(walk, HostContext.of(dsl).fetchSingle(sql.messages(walk)));
  }

  /** Removes records of operators' actions. */
  public Purged<IdWalk> purgeOperatorActions(DSLContext dsl, IdWalk walk) {
    return byId(walk, HostContext.of(dsl).fetchSingle(sql.operatorActions(walk)));
  }

  private static Purged<IdWalk> byId(IdWalk walk, Record4<Integer, Integer, Integer, Long> row) {
    boolean more = row.value2() == walk.limit() && row.value3() > 0;
    return new Purged<>(row.value1(), new IdWalk(more ? row.value4() : 0, walk.limit()));
  }

  /** Removes rows of all consumers' inboxes. Age follows no key there: every row is looked at. */
  public Purged<InboxWalk> purgeInbox(DSLContext dsl, InboxWalk walk) {
    Record4<Integer, Integer, String, String> row =
        HostContext.of(dsl).fetchSingle(sql.inbox(walk));
    return new Purged<>(
        row.value1(),
        row.value2() < walk.limit()
            ? InboxWalk.of(walk.limit())
            : new InboxWalk(
                Objects.requireNonNull(row.value3()),
                Objects.requireNonNull(row.value4()),
                walk.limit()));
  }
}

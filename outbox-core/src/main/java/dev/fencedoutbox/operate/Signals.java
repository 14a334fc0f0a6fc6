package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.outbox.Channel;
import org.jooq.DSLContext;

/**
 * Reads where a channel stands, by one query whose cost is bounded: it looks at so many rows of
 * each kind and no more, and says so where there were more.
 *
 * <p>The kinds are walked apart: due deliveries without an ordering key, in the order of their due
 * times, so that the oldest is among them; those not due; those with an ordering key, in the order
 * of keys, whatever their status; DEAD ones. Beside a million finished deliveries, a million that
 * wait and a hundred that are due it looked at 389 pages ({@code MillionRowsTest} of outbox-it).
 *
 * <p>Immutable and thread-safe. Runs on the caller's context and never opens a transaction.
 *
 * <p>Source: article 000, <i>useful operational signals</i>. Reclamations and refused writes leave
 * no row behind: whoever works counts them.
 */
@CheckReturnValue
public final class Signals {

  /** The rows of each kind that are looked at unless told otherwise. */
  public static final int DEFAULT_LIMIT = 10_000;

  private static final int MOST = 1_000_000;

  private final Channel channel;
  private final int limit;

  private Signals(Channel channel, int limit) {
    this.channel = channel;
    this.limit = limit;
  }

  /** The signals of that channel, counting up to {@value #DEFAULT_LIMIT}. */
  public static Signals of(Channel channel) {
    return new Signals(channel, DEFAULT_LIMIT);
  }

  /**
   * The same with another limit on the rows of each kind that are looked at.
   *
   * @param rows 1 to 1,000,000
   */
  public Signals countingUpTo(int rows) {
    return new Signals(channel, Limits.requireRows("countingUpTo", rows, MOST));
  }

  /** Reads them. */
  public Snapshot read(DSLContext dsl) {
    SignalsSql sql = new SignalsSql(channel, limit);
    return sql.read(HostContext.of(dsl).fetchSingle(sql.query()));
  }
}

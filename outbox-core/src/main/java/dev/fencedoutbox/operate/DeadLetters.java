package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/**
 * The deliveries of a channel that were given up, and what is done about them. Each action returns
 * the deliveries that it changed; that there is none, since another operator was faster, is a
 * result and no error.
 *
 * <p><b>Transactions.</b> Each call runs on the caller's context, inside the caller's transaction
 * if there is one, and never begins, commits or rolls back anything. It is one statement, but for a
 * redrive, which says what it runs. Rows that another operator is changing are passed by, but if
 * one delivery is named, for which it waits.
 *
 * <p><b>Cost.</b> It reads the channel's DEAD rows by an index of their own, up to the bound; a
 * selection by topic reads those of other topics on its way.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 000, <i>a visible failure state and a controlled repair path</i>.
 */
@CheckReturnValue
public final class DeadLetters {

  private final DeadLetterSql sql;
  private final Duration spread;

  private DeadLetters(DeadLetterSql sql, Duration spread) {
    this.sql = sql;
    this.spread = spread;
  }

  /** The DEAD deliveries of that channel. */
  public static DeadLetters on(Channel channel) {
    return new DeadLetters(new DeadLetterSql(channel), Duration.ZERO);
  }

  /**
   * The same, whose redrives make deliveries due one after the other, evenly over that time by the
   * database's clock, so that the receiver is not flooded. The first is due at once.
   *
   * @param duration 0 to 365 days
   */
  public DeadLetters spreadOver(Duration duration) {
    return new DeadLetters(sql, Limits.requireSpread(duration));
  }

  /** A page of them. */
  public List<DeadLetter> list(DSLContext dsl, DeadLetterPage page) {
    return HostContext.of(dsl).fetch(sql.list(page)).map(DeadLetterSql::read);
  }

  /**
   * Makes them ready again with fresh attempts; their epochs go on. A delivery that was skipped out
   * of its ordering key is replaced by a new one of the same message at the key's tail.
   *
   * <p>One statement for those that were not skipped; if that leaves room, one that looks for those
   * that were, and if there are any, one that takes the locks of their keys, as an enqueue does,
   * and replaces them, up to 1,000 a call. The look decides nothing.
   */
  public List<Changed> redrive(DSLContext dsl, Selection selection, Operator by) {
    DSLContext context = HostContext.of(dsl);
    List<Changed> changed =
        new ArrayList<>(
            context.fetch(sql.redrive(selection, spread, by)).map(OperatorLog::changed));
    int room = Math.min(selection.limit() - changed.size(), KeyLocks.MAX_KEYS);
    if (room > 0) {
      changed.addAll(redriveSkipped(context, selection.upTo(room), by));
    }
    return List.copyOf(changed);
  }

  private List<Changed> redriveSkipped(DSLContext context, Selection selection, Operator by) {
    List<Keyed> skipped =
        context.fetch(sql.skipped(selection)).map(row -> new Keyed(row.value1(), row.value2()));
    return skipped.isEmpty()
        ? List.of()
        : context
            .fetch(sql.redriveAtTail(skipped, selection, spread, by))
            .map(OperatorLog::changed);
  }

  /**
   * Gives them up for good: the deliveries go, and their messages are finished unless they are
   * still to be delivered elsewhere. The later ones of their ordering keys go on.
   */
  public List<Changed> discard(DSLContext dsl, Selection selection, Operator by) {
    return HostContext.of(dsl).fetch(sql.discard(selection, by)).map(OperatorLog::changed);
  }

  /**
   * Takes them out of their ordering keys, so that the later deliveries of the keys go on. They
   * stay DEAD, and a redrive puts them at the tail: the order within the key is given up for them.
   * Deliveries without an ordering key are left alone.
   */
  public List<Changed> skip(DSLContext dsl, Selection selection, Operator by) {
    return HostContext.of(dsl).fetch(sql.skip(selection, by)).map(OperatorLog::changed);
  }
}

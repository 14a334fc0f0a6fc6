package dev.fencedoutbox.operate;

import static org.jooq.impl.DSL.noCondition;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record4;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what was delivered once more: a new delivery of the same message, so the receiver sees
 * the event id that it has seen before, and whoever deduplicates by it does nothing. With an
 * ordering key the new delivery stands at the key's tail.
 *
 * <p>What shows that a message was delivered is its receipt, so none can be replayed where receipts
 * are not kept, or after retention. While a delivery of the message is not done on this channel
 * there is no second one (constraint {@code delivery_one_per_channel}).
 *
 * <p><b>Transactions.</b> Each call runs on the caller's context, inside the caller's transaction
 * if there is one, and never begins, commits or rolls back anything. It is one statement that looks
 * for the messages and their ordering keys, and, if there are any, one that takes the keys' locks
 * as an enqueue does and adds the deliveries. The second decides again. Beside a purge that is
 * removing the message it waits for the purge's end.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 002, <i>a new identity for new work</i>.
 */
@CheckReturnValue
public final class Replay {

  private final ReplaySql sql;
  private final Duration spread;

  private Replay(ReplaySql sql, Duration spread) {
    this.sql = sql;
    this.spread = spread;
  }

  /** Replays on that channel. */
  public static Replay on(Channel channel) {
    return new Replay(new ReplaySql(channel), Duration.ZERO);
  }

  /**
   * The same, whose deliveries become due one after the other, evenly over that time by the
   * database's clock. The first is due at once.
   *
   * @param duration 0 to 365 days
   */
  public Replay spreadOver(Duration duration) {
    return new Replay(sql, Limits.requireSpread(duration));
  }

  /**
   * Replays one message. If it was refused, the first statement told why, or after a lost race a
   * third.
   *
   * @param eventId 1 to {@value Texts#MAX_NAME} characters
   */
  public ReplayOutcome replay(DSLContext dsl, String eventId, Operator by) {
    Texts.requireName("An event id", eventId);
    DSLContext context = HostContext.of(dsl);
    Record4<Long, String, Boolean, Boolean> row = context.fetchOne(sql.standing(eventId));
    ReplayOutcome outcome = outcome(row);
    if (row == null || outcome != ReplayOutcome.REPLAYED) {
      return outcome;
    }
    Keyed message = new Keyed(row.value1(), row.value2());
    if (!context.fetch(sql.replay(List.of(message), noCondition(), spread, by)).isEmpty()) {
      return outcome;
    }
    ReplayOutcome afterwards = outcome(context.fetchOne(sql.standing(eventId)));
    // Delivered by somebody else's replay in between
    return afterwards == ReplayOutcome.REPLAYED ? ReplayOutcome.UNDELIVERED : afterwards;
  }

  private static ReplayOutcome outcome(@Nullable Record4<Long, String, Boolean, Boolean> row) {
    if (row == null) {
      return ReplayOutcome.UNKNOWN;
    }
    if (row.value3()) {
      return ReplayOutcome.UNDELIVERED;
    }
    return row.value4() ? ReplayOutcome.REPLAYED : ReplayOutcome.NOT_SENT;
  }

  /** Replays many; those that have a delivery on this channel which is not done are left alone. */
  public List<Changed> replayAll(DSLContext dsl, SentSelection selection, Operator by) {
    DSLContext context = HostContext.of(dsl);
    List<Keyed> messages =
        context.fetch(sql.sent(selection)).map(row -> new Keyed(row.value1(), row.value2()));
    return messages.isEmpty()
        ? List.of()
        : context
            .fetch(sql.replay(messages, selection.condition(), spread, by))
            .map(OperatorLog::changed);
  }
}

package dev.fencedoutbox.inbox;

import static dev.fencedoutbox.schema.Tables.INBOX;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.Binds;
import dev.fencedoutbox.internal.Binds.Column;
import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.schema.tables.records.InboxRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.InsertReturningStep;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.RowCountQuery;
import org.jooq.Table;

/**
 * A consumer's memory of the events that it has applied: it turns at-least-once delivery into an
 * effect that is applied once, if the effect is in the same database and transaction.
 *
 * <p>Immutable and thread-safe. Never opens, commits or rolls back a transaction.
 *
 * <p>Source: article 000, <i>The consumer still needs stable event identity</i>.
 */
@CheckReturnValue
public final class Inbox {

  private static final Column<String, String> EVENT_ID =
      new Column<>("event_id", INBOX.EVENT_ID.getDataType(), eventId -> eventId);

  private final String consumer;

  private Inbox(String consumer) {
    this.consumer = Texts.requireName("A consumer's name", consumer);
  }

  /**
   * The memory of that consumer; consumers do not see each other.
   *
   * @param consumer 1 to {@value Texts#MAX_NAME} characters
   */
  public static Inbox of(String consumer) {
    return new Inbox(consumer);
  }

  /**
   * Runs {@code effect} unless this consumer has applied the event before. Both the effect and the
   * memory of it belong to the caller's transaction: if that rolls back, the event is new again. If
   * another transaction is applying the same event, this waits for its end.
   *
   * @param tx the transaction's own context
   * @param eventId 1 to {@value Texts#MAX_NAME} characters
   * @param effect gets {@code tx}; what it throws passes through, and the transaction must then be
   *     rolled back
   * @throws IllegalStateException outside a transaction
   */
  public InboxOutcome applyOnce(DSLContext tx, String eventId, Consumer<DSLContext> effect) {
    RowCountQuery remember = statement(eventId);
    HostContext.requireTransaction(tx, "Inbox.applyOnce", "which the effect shares.");
    if (HostContext.of(tx).execute(remember) == 0) {
      return InboxOutcome.DUPLICATE;
    }
    effect.accept(tx);
    return InboxOutcome.APPLIED;
  }

  /**
   * The same for many events by one statement: runs {@code effect} once, with those that this
   * consumer has not applied before, or not at all if there are none. Of several with one event id
   * in {@code events} the first counts. Two batches at once that share events do not meet in a
   * deadlock: both remember them in the order of their ids.
   *
   * @param tx the transaction's own context
   * @param eventIdOf 1 to {@value Texts#MAX_NAME} characters each
   * @param effect gets {@code tx} and the new ones in their order; what it throws passes through,
   *     and the transaction must then be rolled back
   * @return one outcome for each event, in their order
   * @throws IllegalStateException outside a transaction
   */
  public <T> List<InboxOutcome> applyAllOnce(
      DSLContext tx,
      Collection<T> events,
      Function<T, String> eventIdOf,
      BiConsumer<DSLContext, List<T>> effect) {
    List<T> all = List.copyOf(events);
    List<String> eventIds = all.stream().map(eventIdOf).toList();
    if (all.isEmpty()) {
      return List.of();
    }
    ResultQuery<Record1<String>> remember = statement(eventIds);
    HostContext.requireTransaction(tx, "Inbox.applyAllOnce", "which the effect shares.");
    Set<String> unseen = HostContext.of(tx).fetch(remember).intoSet(Record1::value1);
    List<T> applied = new ArrayList<>();
    List<InboxOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isNew = unseen.remove(eventIds.get(i));
      outcomes.add(isNew ? InboxOutcome.APPLIED : InboxOutcome.DUPLICATE);
      if (isNew) {
        applied.add(all.get(i));
      }
    }
    if (!applied.isEmpty()) {
      effect.accept(tx, applied);
    }
    return outcomes;
  }

  /** The statement that remembers an event, as a detached value; no row written: a duplicate. */
  public RowCountQuery statement(String eventId) {
    Texts.requireName("An event id", eventId);
    return remembering(required(val(eventId, INBOX.EVENT_ID)), List.of(), List.of());
  }

  /**
   * The statement that remembers events, as a detached value; it returns the ids of those that are
   * new.
   *
   * @param eventIds one or more
   */
  public ResultQuery<Record1<String>> statement(Collection<String> eventIds) {
    eventIds.forEach(eventId -> Texts.requireName("An event id", eventId));
    List<String> each = eventIds.stream().distinct().toList();
    Binds binds = Binds.of("event", each, List.of(EVENT_ID));
    return remembering(required(binds.get(0, EVENT_ID)), binds.sources(), binds.order(0, EVENT_ID))
        .returningResult(INBOX.EVENT_ID);
  }

  private Map<Field<?>, Field<?>> required(Field<String> eventId) {
    return InboxRecord.required(val(consumer, INBOX.CONSUMER), eventId);
  }

  private static InsertReturningStep<InboxRecord> remembering(
      Map<Field<?>, Field<?>> values, List<Table<?>> sources, List<Field<?>> order) {
    return insertInto(INBOX)
        .columns(values.keySet())
        .select(select(values.values()).from(sources).orderBy(order))
        .onConflict(INBOX.CONSUMER, INBOX.EVENT_ID)
        .doNothing();
  }
}

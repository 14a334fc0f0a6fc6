package dev.fencedoutbox.inbox;

import static dev.fencedoutbox.schema.Tables.INBOX;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.schema.tables.records.InboxRecord;
import java.util.Map;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.RowCountQuery;

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

  /** The statement that remembers an event, as a detached value; no row written: a duplicate. */
  public RowCountQuery statement(String eventId) {
    Texts.requireName("An event id", eventId);
    Map<Field<?>, Field<?>> values =
        InboxRecord.required(val(consumer, INBOX.CONSUMER), val(eventId, INBOX.EVENT_ID));
    return insertInto(INBOX)
        .columns(values.keySet())
        .select(select(values.values()))
        .onConflict(INBOX.CONSUMER, INBOX.EVENT_ID)
        .doNothing();
  }
}

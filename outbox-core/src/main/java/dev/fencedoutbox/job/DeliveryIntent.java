package dev.fencedoutbox.job;

import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said to others because a job was finished: messages that are enqueued if and only
 * if its result is accepted, and with them, if wanted, a write to the application's own tables.
 *
 * <pre>{@code
 * DeliveryIntent.of(outbox, RENDERED.message(picture).eventId("order-17-rendered"))
 *     .beside(accepted -> insertInto(GALLERY, ...).select(...))
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 002, <i>a durable delivery intent behind the accepted database transition</i>.
 */
public final class DeliveryIntent {

  private final Outbox outbox;
  private final List<Message> messages;
  private final @Nullable Effect<Long> effect;

  private DeliveryIntent(Outbox outbox, List<Message> messages, @Nullable Effect<Long> effect) {
    this.outbox = outbox;
    this.messages = messages;
    this.effect = effect;
  }

  /** The intent to have these messages delivered; bounds as in {@link #of(Outbox, Collection)}. */
  public static DeliveryIntent of(Outbox outbox, Message... messages) {
    return of(outbox, List.of(messages));
  }

  /**
   * The intent to have these messages delivered.
   *
   * @param messages one or more, each event once, as {@link Outbox#statement} takes them
   * @throws IllegalArgumentException otherwise: here, and not after the job is finished
   */
  public static DeliveryIntent of(Outbox outbox, Collection<Message> messages) {
    List<Message> all = List.copyOf(messages);
    Object unused = Outbox.statement(all);
    return new DeliveryIntent(outbox, all, null);
  }

  /** The same with a fenced effect, which is part of the statement that finishes the job. */
  public DeliveryIntent beside(Effect<Long> write) {
    return new DeliveryIntent(outbox, messages, write);
  }

  @Nullable Effect<Long> effect() {
    return effect;
  }

  /** Whether one of them was new. */
  boolean enqueue(DSLContext tx) {
    return Set.copyOf(outbox.enqueueAll(tx, messages)).contains(EnqueueOutcome.CREATED);
  }
}

package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import dev.fencedoutbox.schema.tables.records.ReceiptRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/**
 * The transactional outbox: messages are enqueued in the transaction of the business change, and
 * their deliveries are claimed and recorded with {@link dev.fencedoutbox.lease.Leases}.
 *
 * <pre>{@code
 * dsl.transaction(tx -> {
 *   tx.dsl().insertInto(CUSTOMER_ORDER).set(order).execute();
 *   outbox.enqueue(tx.dsl(), ORDER_PLACED.message(placed).eventId("order-17-placed"));
 * });
 *
 * Claims<Long, Delivery> claims = leases.claim(dsl, outbox.deliveries(BILLING), terms, 100);
 * }</pre>
 *
 * <p><b>Guarantee.</b> A message is stored if and only if the caller's transaction commits. Each of
 * its deliveries is handed out until one is recorded or it is buried: at least once to the outside,
 * exactly once to this database for what is written together with the completion.
 *
 * <p>Immutable and thread-safe. Never opens, commits or rolls back a transaction.
 */
@CheckReturnValue
public final class Outbox {

  private final boolean receipts;
  private final boolean payloadLog;
  private final boolean transactionRequired;
  private final EnqueueListener listener;
  private final EnqueueTexts texts;

  private Outbox(
      boolean receipts,
      boolean payloadLog,
      boolean transactionRequired,
      EnqueueListener listener,
      EnqueueTexts texts) {
    this.receipts = receipts;
    this.payloadLog = payloadLog;
    this.transactionRequired = transactionRequired;
    this.listener = listener;
    this.texts = texts;
  }

  /** An outbox that keeps receipts and refuses to enqueue outside a transaction. */
  public static Outbox create() {
    return new Outbox(true, true, true, (tx, channels) -> {}, new EnqueueTexts());
  }

  /** The same, whose completed deliveries leave nothing behind. */
  public Outbox withoutReceipts() {
    return new Outbox(false, payloadLog, transactionRequired, listener, texts);
  }

  /** The same, whose statements stay out of jOOQ's own DEBUG log, and payloads with them. */
  public Outbox withoutPayloadLog() {
    return new Outbox(receipts, false, transactionRequired, listener, texts);
  }

  /**
   * The same, which also enqueues outside a transaction, where each enqueue commits by itself: for
   * messages that belong to no business change.
   */
  public Outbox withoutTransactionCheck() {
    return new Outbox(receipts, payloadLog, false, listener, texts);
  }

  /** The same, which also tells that listener of each enqueue that created something. */
  public Outbox telling(EnqueueListener another) {
    return new Outbox(receipts, payloadLog, transactionRequired, listener.andThen(another), texts);
  }

  /**
   * Stores the message and its deliveries as part of the caller's transaction, by one statement.
   *
   * <p>If another transaction has enqueued the same event id and is still open, this waits for its
   * end: DUPLICATE if it commits, CREATED if it rolls back. With an ordering key it also waits for
   * open transactions that enqueued under the same key.
   *
   * @param tx the transaction's own context
   * @throws IllegalStateException outside a transaction, unless {@link #withoutTransactionCheck}.
   *     Told by the connection's auto-commit mode, so a pool that hands out connections with
   *     auto-commit off cannot be told from a transaction
   * @throws IllegalArgumentException if the dialect is not PostgreSQL
   */
  public EnqueueOutcome enqueue(DSLContext tx, Message message) {
    return enqueueAll(tx, List.of(message)).get(0);
  }

  /**
   * Stores many messages by one statement; outcomes in the order of {@code messages}. Of two with
   * one event id, the first is stored. No message: no statement. The messages of one ordering key
   * keep their order. Memory bounds the number, and there may be 1,000 ordering keys.
   *
   * <p>Two such calls cannot deadlock with each other if an event has the same ordering key, or
   * none, in both. Several calls in one transaction can, with another transaction that enqueues the
   * same events or ordering keys in another order: prefer one call.
   */
  public List<EnqueueOutcome> enqueueAll(DSLContext tx, Collection<Message> messages) {
    if (messages.isEmpty()) {
      return List.of();
    }
    if (transactionRequired) {
      HostContext.requireTransaction(
          tx, "Outbox.enqueue", "or allow it with Outbox.withoutTransactionCheck().");
    }
    Map<String, Message> byEventId = new LinkedHashMap<>();
    messages.forEach(message -> byEventId.putIfAbsent(message.eventId(), message));
    Set<String> created = new HashSet<>();
    DSLContext context = context(tx);
    context
        .fetch(texts.query(context, List.copyOf(byEventId.values())))
        .forEach(row -> created.add(row.value1()));
    List<EnqueueOutcome> outcomes = new ArrayList<>(messages.size());
    Set<Channel> channels = new HashSet<>();
    for (Message message : messages) {
      // Removed once told, so that a second one of the same id is a duplicate
      if (created.remove(message.eventId())) {
        outcomes.add(EnqueueOutcome.CREATED);
        channels.addAll(message.channels());
      } else {
        outcomes.add(EnqueueOutcome.DUPLICATE);
      }
    }
    if (!channels.isEmpty()) {
      listener.enqueued(tx, Set.copyOf(channels));
    }
    return outcomes;
  }

  /**
   * The enqueue as a detached value; it returns the event ids that were new. Under a {@code
   * maxRows} setting its result is cut, though not what it stores.
   *
   * @param messages one or more
   * @throws IllegalArgumentException if there is none, or two have one event id
   */
  public static ResultQuery<Record1<String>> statement(Collection<Message> messages) {
    Set<String> eventIds = new HashSet<>();
    for (Message message : messages) {
      if (!eventIds.add(message.eventId())) {
        throw new IllegalArgumentException(
            "Event id %s appears twice in one statement. Nothing was sent. Pass each event once, or call enqueueAll."
                .formatted(message.eventId()));
      }
    }
    if (eventIds.isEmpty()) {
      throw new IllegalArgumentException(
          "An enqueue takes one message or more and was given none. Nothing was sent. Leave it"
              + " out.");
    }
    return OutboxSql.enqueue(EnqueueRows.of(List.copyOf(messages)));
  }

  /** Every statement of an outbox as text, for people to read: {@code System.out.println} it. */
  public static String describeSql() {
    return OutboxCatalog.sql(create());
  }

  /**
   * The deliveries of a channel as a table to lease: claims hand out the oldest due ones of those
   * without an ordering key, and completing deletes the delivery and leaves a receipt.
   */
  public LeaseTable<Long, Delivery> deliveries(Channel channel) {
    return on(channel).where(DELIVERY.ORDERING_KEY.isNull());
  }

  /**
   * The deliveries of a channel that have an ordering key, as a table to lease in order: {@link
   * dev.fencedoutbox.lease.Leases#claimInOrder}. A DEAD delivery holds up its key.
   */
  public OrderedTable<Long, Delivery> orderedDeliveries(Channel channel) {
    return on(channel).where(DELIVERY.ORDERING_KEY.isNotNull()).inOrderOf(DELIVERY.ORDERING_KEY);
  }

  private LeaseTable<Long, Delivery> on(Channel channel) {
    LeaseTable<Long, Delivery> table =
        (receipts ? LEAVING_RECEIPTS : DELIVERIES).where(DELIVERY.CHANNEL.eq(channel.name()));
    return payloadLog ? table : table.withoutStatementLog();
  }

  private static final LeaseTable<Long, Delivery> DELIVERIES =
      LeaseTable.of(DELIVERY, DELIVERY.ID)
          .epoch(DELIVERY.EPOCH)
          .attempts(DELIVERY.ATTEMPTS)
          .leaseUntil(DELIVERY.LEASE_UNTIL)
          .status(
              DELIVERY.STATUS, DeliveryStatus.READY, DeliveryStatus.INPROGRESS, DeliveryStatus.DEAD)
          .completedByDelete()
          .dueAt(DELIVERY.NEXT_ATTEMPT_AT)
          .owner(DELIVERY.LEASE_OWNER)
          .lastError(DELIVERY.LAST_ERROR)
          .exposing(DELIVERY.MESSAGE_ID, DELIVERY.EPOCH, DELIVERY.ATTEMPTS, DELIVERY.CHANNEL)
          .handingOut(
              MESSAGE, MESSAGE.ID.eq(DELIVERY.MESSAGE_ID), Delivery.FIELDS, Delivery::claimed);

  private static final LeaseTable<Long, Delivery> LEAVING_RECEIPTS =
      DELIVERIES.completedByDeleteLeaving(
          RECEIPT,
          done ->
              ReceiptRecord.required(
                  done.get(DELIVERY.MESSAGE_ID),
                  done.key(),
                  done.get(DELIVERY.EPOCH),
                  done.get(DELIVERY.ATTEMPTS),
                  done.get(DELIVERY.CHANNEL)),
          RECEIPT.DELIVERY_ID,
          RECEIPT.EPOCH);

  private DSLContext context(DSLContext tx) {
    return payloadLog ? HostContext.of(tx) : HostContext.withoutLogging(tx);
  }
}

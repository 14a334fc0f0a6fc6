package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.schema.Tables.INBOX;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.SqlText;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.schema.tables.records.InboxRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Converter;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Query;

/** Every statement of the outbox as text, for people. */
final class OutboxCatalog {

  private OutboxCatalog() {}

  static String sql(Outbox outbox) {
    Topic<JSONB> topic =
        Topic.json("topic", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));
    Message message = topic.message(JSONB.valueOf("{}"));
    Map<String, Query> enqueues = new LinkedHashMap<>();
    enqueues.put("enqueue", Outbox.statement(List.of(message)));
    enqueues.put(
        "enqueue under an ordering key", Outbox.statement(List.of(message.orderingKey("k"))));
    enqueues.put(
        "enqueue, a batch", Outbox.statement(List.of(message, message.eventId("another"))));
    Map<String, Query> others = new LinkedHashMap<>();
    others.put(
        "claim in order",
        LeaseStatements.claimInOrder(
                outbox.orderedDeliveries(Channel.DEFAULT),
                ClaimTerms.leaseFor(Duration.ofSeconds(30)),
                "owner",
                KeyWalk.of(100))
            .query());
    return SqlText.print(enqueues)
        + LeaseStatements.describe(outbox.deliveries(Channel.DEFAULT), rememberingKey())
        + SqlText.print(others);
  }

  /** A sample of a fenced effect. */
  private static Effect<Long> rememberingKey() {
    return accepted -> {
      Map<Field<?>, Field<?>> values =
          InboxRecord.required(
              val("consumer", INBOX.CONSUMER), accepted.key().cast(INBOX.EVENT_ID));
      return insertInto(INBOX)
          .columns(values.keySet())
          .select(select(values.values()).from(accepted.table()))
          .onConflict(INBOX.CONSUMER, INBOX.EVENT_ID)
          .doNothing();
    };
  }
}

package dev.fencedoutbox.it.bench;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** An order and its message by the same statements over plain JDBC; for one thread. */
final class HandWrittenOrders {

  private static final String INSERT =
      "insert into shop.customer_order (id, customer, amount) values (?, ?, ?)";

  private static final String ENQUEUE =
      """
      with created_messages as (
        insert into outbox.message (event_id, topic, content_type, ordering_key, headers, payload_json, payload_bytes)
        select ?, ?, ?, null, null, cast(? as jsonb), null
        on conflict (event_id) do nothing
        returning id, event_id, ordering_key),
      queued_deliveries as (
        insert into outbox.delivery (message_id, channel, ordering_key, next_attempt_at)
        select id, ?, ordering_key, statement_timestamp() + interval '0 s' from created_messages
        returning id)
      select event_id from created_messages
      """;

  private static final String PAYLOAD = BenchDatabase.payload(Backlog.USUAL_BYTES);

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement enqueue;

  HandWrittenOrders(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    this.insert = connection.prepareStatement(INSERT);
    this.enqueue = connection.prepareStatement(ENQUEUE);
  }

  void takeAndSay() throws SQLException {
    String id = Orders.newId();
    insert.setString(1, id);
    insert.setString(2, "a customer");
    insert.setBigDecimal(3, BigDecimal.TEN);
    insert.executeUpdate();
    enqueue.setString(1, id);
    enqueue.setString(2, BenchDatabase.TOPIC);
    enqueue.setString(3, "application/json");
    enqueue.setString(4, PAYLOAD);
    enqueue.setString(5, BenchDatabase.CHANNEL.name());
    try (ResultSet created = enqueue.executeQuery()) {
      if (!created.next()) {
        throw new IllegalStateException("Order " + id + " was said before.");
      }
    }
    connection.commit();
  }
}

package dev.fencedoutbox.it.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;

/**
 * The library's own statements on the library's own tables, written by hand over plain JDBC: the
 * claim with its scan floor, and the completion with its receipts, with what varies hidden from the
 * planner, so that the server keeps their plans. What it does not do is what a relay is there for:
 * no walk along ordering keys, no threads for handlers, no renewals, no sweep, no answer to a
 * failure.
 */
final class Limit extends HandWritten {

  private static final String CLAIM =
      """
      with claimable_rows as materialized (
        select id, status = 'INPROGRESS' as was_leased
        from outbox.delivery
        where channel = '%s'
          and ordering_key is null
          and (next_attempt_at, id) >= ((select cast(? as timestamptz)), (select cast(? as bigint)))
          and next_attempt_at <= statement_timestamp()
          and (status = 'READY' or (status = 'INPROGRESS' and lease_until <= statement_timestamp()))
        order by next_attempt_at, id
        fetch next %d rows only
        for no key update skip locked)
      update outbox.delivery
      set status = case when attempts >= 10 then 'DEAD' else 'INPROGRESS' end::outbox.delivery_status,
        epoch = case when attempts >= 10 then epoch else epoch + 1 end,
        attempts = case when attempts >= 10 then attempts else attempts + 1 end,
        lease_until = case when not attempts >= 10 then (select clock_timestamp() + interval '30 s') end,
        lease_owner = case when not attempts >= 10 then 'by hand' end,
        next_attempt_at = case when attempts >= 10 then timestamptz '9999-12-31 00:00:00+00' else next_attempt_at end,
        last_error = case when attempts >= 10 then 'The attempt budget is used up.' else last_error end
      from outbox.message
      where delivery.id = any (array(select id from claimable_rows)) and message.id = delivery.message_id
      returning delivery.id, delivery.epoch, delivery.attempts, delivery.lease_until, delivery.last_error,
        delivery.status = 'DEAD' as buried,
        delivery.id = any (array(select id from claimable_rows where was_leased)) as reclaimed,
        delivery.channel, delivery.status, delivery.next_attempt_at,
        message.event_id, message.topic, message.content_type, message.ordering_key, message.headers,
        message.created_at, message.payload_json, message.payload_bytes
      """;

  private static final String COMPLETE =
      """
      with accepted_rows as (
        delete from outbox.delivery
        using (select unnest((select cast(? as bigint[]))) as row_key, unnest((select cast(? as bigint[]))) as epoch) as held_leases
        where delivery.id = held_leases.row_key and delivery.epoch = held_leases.epoch
          and delivery.status = 'INPROGRESS' and delivery.lease_until > clock_timestamp()
        returning delivery.id, delivery.message_id, delivery.epoch, delivery.attempts, delivery.channel)
      insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel)
      select message_id, id, epoch, attempts, channel from accepted_rows
      returning delivery_id, epoch
      """;

  private final int batch;

  Limit(BenchDatabase database, int batch, int workers) {
    super(database, workers);
    this.batch = batch;
  }

  @Override
  public String name() {
    return "limit";
  }

  @Override
  public void fill(Backlog backlog) {
    database().fillLibrary(backlog);
  }

  @Override
  Session open(Connection connection) throws SQLException {
    PreparedStatement claim =
        connection.prepareStatement(CLAIM.formatted(BenchDatabase.CHANNEL.name(), batch));
    PreparedStatement complete = connection.prepareStatement(COMPLETE);
    return new LimitSession(claim, complete);
  }

  private static final class LimitSession implements Session {

    private final PreparedStatement claim;
    private final PreparedStatement complete;
    private OffsetDateTime floorTime = OffsetDateTime.MIN;
    private long floorId;

    LimitSession(PreparedStatement claim, PreparedStatement complete) {
      this.claim = claim;
      this.complete = complete;
    }

    @Override
    public Batch claim() throws SQLException {
      claim.setObject(1, floorTime);
      claim.setLong(2, floorId);
      Batch claimed = new Batch();
      try (ResultSet rows = claim.executeQuery()) {
        while (rows.next()) {
          long id = rows.getLong(1);
          claimed.keys().add(id);
          claimed.epochs().add(rows.getLong(2));
          OffsetDateTime dueAt = rows.getObject(10, OffsetDateTime.class);
          if (dueAt.compareTo(floorTime) > 0) {
            floorTime = dueAt;
            floorId = id;
          }
          Sink.take(rows.getString(11), rows.getString(12), rows.getString(17));
        }
      }
      return claimed;
    }

    @Override
    public int complete(Batch batch) throws SQLException {
      int completed = 0;
      try (ResultSet rows = query(complete, batch)) {
        while (rows.next()) {
          completed++;
        }
      }
      return completed;
    }
  }
}

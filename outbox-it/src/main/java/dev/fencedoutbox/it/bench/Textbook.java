package dev.fencedoutbox.it.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table that everybody writes first, by hand over plain JDBC: the message and its state in one
 * row, an index on what is READY, a claim by {@code UPDATE ... SKIP LOCKED}, and SENT at the end.
 * It is fenced by a generation, as the first article's is.
 */
final class Textbook extends HandWritten {

  static final String TABLE =
      """
      create schema textbook;
      create type textbook.status as enum ('READY', 'INPROGRESS', 'SENT', 'DEAD');
      create table textbook.outbox (
        id              bigint generated always as identity primary key,
        event_id        text not null unique,
        topic           text not null,
        ordering_key    text,
        payload         jsonb not null,
        headers         jsonb,
        status          textbook.status not null default 'READY',
        generation      bigint not null default 0,
        attempts        integer not null default 0,
        lease_until     timestamptz,
        lease_owner     text,
        next_attempt_at timestamptz not null default statement_timestamp(),
        created_at      timestamptz not null default statement_timestamp(),
        last_error      text
      );
      create index outbox_ready on textbook.outbox (next_attempt_at, id) where status = 'READY';
      create index outbox_leased on textbook.outbox (lease_until) where status = 'INPROGRESS'
      """;

  private static final String CLAIM =
      """
      with candidate as materialized (
        select id from textbook.outbox
        where status = 'READY' and next_attempt_at <= statement_timestamp()
        order by next_attempt_at, id
        limit %d
        for update skip locked)
      update textbook.outbox
      set status = 'INPROGRESS', generation = generation + 1, attempts = attempts + 1,
        lease_owner = ?, lease_until = clock_timestamp() + interval '30 s'
      from candidate
      where outbox.id = candidate.id
      returning outbox.id, generation, attempts, lease_until, event_id, topic, ordering_key, headers, created_at, payload
      """;

  private static final String COMPLETE =
      """
      update textbook.outbox
      set status = 'SENT', lease_until = null, lease_owner = null
      from (select unnest(?::bigint[]) as id, unnest(?::bigint[]) as generation) as held
      where outbox.id = held.id and outbox.generation = held.generation
        and status = 'INPROGRESS' and lease_until > clock_timestamp()
      returning outbox.id
      """;

  private final int batch;

  Textbook(BenchDatabase database, int batch, int workers) {
    super(database, workers);
    this.batch = batch;
  }

  @Override
  public String name() {
    return "textbook";
  }

  @Override
  public void fill(Backlog backlog) {
    database().fillTextbook(backlog);
  }

  @Override
  Session open(Connection connection) throws SQLException {
    PreparedStatement claim = connection.prepareStatement(CLAIM.formatted(batch));
    PreparedStatement complete = connection.prepareStatement(COMPLETE);
    return new Session() {
      @Override
      public Batch claim() throws SQLException {
        claim.setString(1, "by hand");
        Batch claimed = new Batch();
        try (ResultSet rows = claim.executeQuery()) {
          while (rows.next()) {
            claimed.keys().add(rows.getLong(1));
            claimed.epochs().add(rows.getLong(2));
            Sink.take(rows.getString(5), rows.getString(6), rows.getString(10));
          }
        }
        return claimed;
      }

      @Override
      public int complete(Batch claimed) throws SQLException {
        int completed = 0;
        try (ResultSet rows = query(complete, claimed)) {
          while (rows.next()) {
            completed++;
          }
        }
        return completed;
      }
    };
  }
}

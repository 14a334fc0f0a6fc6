package dev.fencedoutbox.it.labs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * What article 000 starts from, in plain JDBC: only READY rows are claimed, and an outcome is
 * written by id and status. The epoch and the deadline are stored, and nothing looks at them.
 */
final class UnsafeBaseline implements RecoveryPort {

  private static final String TABLE =
      """
      CREATE TABLE lab.outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL UNIQUE,
        status text NOT NULL DEFAULT 'READY' CHECK (status IN ('READY', 'INPROGRESS', 'SENT')),
        epoch bigint NOT NULL DEFAULT 0,
        lease_until timestamptz,
        next_attempt_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        CHECK ((status = 'INPROGRESS') = (lease_until IS NOT NULL))
      )
      """;

  private static final String CLAIM =
      """
      WITH candidate AS (
        SELECT id FROM lab.outbox
        WHERE status = 'READY' AND next_attempt_at <= statement_timestamp()
        ORDER BY id LIMIT 1
        FOR UPDATE SKIP LOCKED
      )
      UPDATE lab.outbox AS o
      SET status = 'INPROGRESS', epoch = o.epoch + 1,
          lease_until = clock_timestamp() + interval '10 minutes'
      FROM candidate AS c
      WHERE o.id = c.id
      RETURNING o.id, o.epoch
      """;

  private static final String COMPLETE =
      "UPDATE lab.outbox SET status = 'SENT', lease_until = NULL"
          + " WHERE id = ? AND status = 'INPROGRESS'";

  private static final String RETRY =
      "UPDATE lab.outbox SET status = 'READY', lease_until = NULL"
          + " WHERE id = ? AND status = 'INPROGRESS'";

  @Override
  public void reset(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS lab CASCADE");
      statement.execute("CREATE SCHEMA lab");
      statement.execute(TABLE);
    }
  }

  @Override
  public long insert(Connection connection, String name) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO lab.outbox (event_id) VALUES (?) RETURNING id")) {
      insert.setString(1, name);
      try (ResultSet rows = insert.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  @Override
  public Optional<Claim> claim(Connection connection) throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM);
        ResultSet rows = claim.executeQuery()) {
      return rows.next()
          ? Optional.of(new UnsafeClaim(rows.getLong(1), rows.getLong(2)))
          : Optional.empty();
    }
  }

  @Override
  public void expire(Connection connection, long key) throws SQLException {
    write(
        connection,
        "UPDATE lab.outbox SET lease_until = clock_timestamp() - interval '1 second' WHERE id = ?",
        key);
  }

  @Override
  public void supersede(Connection connection, long key) throws SQLException {
    write(
        connection,
        "UPDATE lab.outbox SET epoch = epoch + 1,"
            + " lease_until = clock_timestamp() + interval '10 minutes' WHERE id = ?",
        key);
  }

  @Override
  public Row row(Connection connection, long key) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT status, epoch, lease_until IS NOT NULL FROM lab.outbox WHERE id = ?")) {
      select.setLong(1, key);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return new Row(status(rows.getString(1)), rows.getLong(2), rows.getBoolean(3));
      }
    }
  }

  private static Status status(String label) {
    return switch (label) {
      case "READY" -> Status.WAITING;
      case "INPROGRESS" -> Status.LEASED;
      default -> Status.DONE;
    };
  }

  private static boolean write(Connection connection, String sql, long key) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setLong(1, key);
      return update.executeUpdate() == 1;
    }
  }

  private record UnsafeClaim(long key, long epoch) implements Claim {

    @Override
    public boolean complete(Connection connection) throws SQLException {
      return write(connection, COMPLETE, key);
    }

    @Override
    public boolean retry(Connection connection) throws SQLException {
      return write(connection, RETRY, key);
    }
  }
}

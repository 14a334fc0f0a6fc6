package dev.fencedoutbox.notify;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** One connection, from its LISTEN to its UNLISTEN. For one thread. */
final class ListenSession implements AutoCloseable {

  /**
   * How long one look at the socket waits, so how soon an end is heeded. Nothing is sent for it.
   */
  private static final int WAIT_MILLIS = 250;

  /** A peer that vanished says nothing, so after that much silence it is asked. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  private static final int ANSWER_SECONDS = 5;

  private final Connection connection;
  private final PGConnection postgres;
  private final boolean autoCommit;
  private long heardNanos = System.nanoTime();

  ListenSession(Connection connection) throws SQLException {
    this.connection = connection;
    this.postgres = connection.unwrap(PGConnection.class);
    this.autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(true); // notifications do not come in inside a transaction
    NotifySql.listen(connection);
  }

  /** What came in, after a short wait for it; most often nothing. */
  List<PGNotification> receive() throws SQLException {
    PGNotification @Nullable [] received = postgres.getNotifications(WAIT_MILLIS);
    if (received != null && received.length > 0) {
      heardNanos = System.nanoTime();
      return List.of(received);
    }
    if (System.nanoTime() - heardNanos >= LONGEST_SILENCE.toNanos()) {
      requireAnswer();
    }
    return List.of();
  }

  private void requireAnswer() throws SQLException {
    if (!connection.isValid(ANSWER_SECONDS)) {
      throw new SQLException(
          "The server did not answer for %d s".formatted(ANSWER_SECONDS), "08006");
    }
    heardNanos = System.nanoTime();
  }

  /**
   * Gives the connection back as it was. Where it is broken this fails, by which a pool learns that
   * it must not hand it out again: it has not seen the failure, which came past its proxy.
   */
  @Override
  public void close() throws SQLException {
    NotifySql.unlisten(connection);
    connection.setAutoCommit(autoCommit);
  }
}

package dev.fencedoutbox.notify;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import javax.sql.DataSource;

/** The statements: no table, no column, so nothing here depends on a schema. */
final class NotifySql {

  /** PostgreSQL's notification channel; the payload is the name of the channel of deliveries. */
  static final String NAME = "fenced_outbox";

  /** Another one, for messages to oneself. */
  static final String PROBE = "fenced_outbox_probe";

  private NotifySql() {}

  /** Sends one notification for each payload, in one transaction of its own. */
  static void send(DataSource dataSource, String name, Collection<String> payloads)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(true);
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT pg_notify(?, payload) FROM unnest(?) AS payload")) {
        statement.setString(1, name);
        statement.setArray(2, connection.createArrayOf("text", payloads.toArray()));
        statement.execute();
      } finally {
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  static void listen(Connection connection) throws SQLException {
    execute(connection, "LISTEN " + NAME, "LISTEN " + PROBE);
  }

  static void unlisten(Connection connection) throws SQLException {
    execute(connection, "UNLISTEN " + NAME, "UNLISTEN " + PROBE);
  }

  private static void execute(Connection connection, String... commands) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }
}

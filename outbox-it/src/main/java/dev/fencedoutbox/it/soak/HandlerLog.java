package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.relay.Attempt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Writes down what a handler does, on a connection apart from the relay's, each line committed at
 * once. Thread-safe.
 */
final class HandlerLog {

  private static final String LINE =
      "INSERT INTO soak.handling (what, process, event_id, delivery_id, epoch, reclaimed)"
          + " VALUES (?, ?, ?, ?, ?, ?)";

  private final DataSource dataSource;
  private final String process;

  HandlerLog(DataSource dataSource, String process) {
    this.dataSource = dataSource;
    this.process = process;
  }

  void write(Handling.What what, Attempt attempt) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(LINE)) {
      insert.setString(1, what.name().toLowerCase(java.util.Locale.ROOT));
      insert.setString(2, process);
      insert.setString(3, attempt.eventId());
      insert.setLong(4, attempt.delivery().id());
      insert.setLong(5, attempt.lease().epoch().value());
      insert.setBoolean(6, attempt.reclaimed());
      insert.executeUpdate();
    }
  }
}

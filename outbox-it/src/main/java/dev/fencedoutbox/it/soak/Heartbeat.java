package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.process.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Asks the database for the time, again and again, and writes down when the answers are too far
 * apart: then the relay beside it could not renew either, whoever is to blame. For one thread.
 */
final class Heartbeat implements Runnable {

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration NOTABLE = Duration.ofMillis(150);

  private final DataSource dataSource;
  private final String process;

  Heartbeat(DataSource dataSource, String process) {
    this.dataSource = dataSource;
    this.process = process;
  }

  @Override
  public void run() {
    try (Connection connection = dataSource.getConnection();
        Statement clock = connection.createStatement()) {
      Timestamp last = now(clock);
      while (!Thread.currentThread().isInterrupted()) {
        Waiting.pause(PAUSE);
        Timestamp now = now(clock);
        if (Duration.between(last.toInstant(), now.toInstant()).compareTo(NOTABLE) > 0) {
          write(connection, last, now);
        }
        last = now;
      }
    } catch (SQLException e) {
      System.err.println("The heartbeat of " + process + " stopped: " + e);
    }
  }

  private static Timestamp now(Statement clock) throws SQLException {
    try (ResultSet row = clock.executeQuery("SELECT clock_timestamp()")) {
      row.next();
      return row.getTimestamp(1);
    }
  }

  private void write(Connection connection, Timestamp since, Timestamp until) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO soak.stall (process, since, until) VALUES (?, ?, ?)")) {
      insert.setString(1, process);
      insert.setTimestamp(2, since);
      insert.setTimestamp(3, until);
      insert.executeUpdate();
    }
  }
}

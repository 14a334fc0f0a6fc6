package dev.fencedoutbox.build;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A running server that belongs to somebody else. */
record RemoteOrigin(String adminUrl) implements Origin {
  private static final String MAY_CREATE =
      "select current_user, rolsuper or rolcreatedb from pg_roles where rolname = current_user";

  static RemoteOrigin connect(String url) {
    String shown = JdbcUrl.redact(url);
    try (Connection connection = PostgresServer.connect(url);
        Statement statement = connection.createStatement();
        ResultSet role = statement.executeQuery(MAY_CREATE)) {
      if (role.next() && !role.getBoolean(2)) {
        throw new PostgresUnavailable(
            "The user "
                + role.getString(1)
                + " of "
                + shown
                + " may not create databases. Let an administrator run: ALTER ROLE "
                + role.getString(1)
                + " CREATEDB;");
      }
      return new RemoteOrigin(url);
    } catch (SQLException e) {
      throw new PostgresUnavailable(
          "No connection to "
              + shown
              + " (SQLSTATE "
              + e.getSQLState()
              + "): "
              + JdbcUrl.redact(String.valueOf(e.getMessage())),
          e);
    }
  }

  @Override
  public boolean outlivesUs() {
    return true;
  }

  @Override
  public void stop() {
    // Not ours to stop.
  }
}

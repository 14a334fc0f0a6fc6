package dev.fencedoutbox.build;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * A PostgreSQL server for generation, tests and the demo, chosen by the system property {@code
 * postgres}, and throw-away databases on it.
 *
 * <p>Thread-safe. Close it to drop the databases that it created and to stop a server that it
 * started; both also happen when the JVM ends without a call of {@link #close()}.
 */
public final class PostgresServer implements AutoCloseable {
  private final Origin origin;
  private final Deque<String> databases = new ArrayDeque<>();
  private boolean closed;

  private PostgresServer(Origin origin) {
    this.origin = origin;
  }

  /** Starts, or connects to, the server that {@code -Dpostgres} names; embedded without it. */
  public static PostgresServer startConfigured() {
    return start(System.getProperty("postgres"));
  }

  /**
   * Starts, or connects to, a server.
   *
   * @param choice {@code embedded}, {@code testcontainers} or a JDBC URL; null and blank mean
   *     {@code embedded}
   * @throws PostgresUnavailable with one message that names what happened and the alternatives
   */
  public static PostgresServer start(@Nullable String choice) {
    String wanted = choice == null || choice.isBlank() ? "embedded" : choice.strip();
    if (wanted.equals("embedded")) {
      return new PostgresServer(EmbeddedOrigin.start());
    }
    if (wanted.equals("testcontainers")) {
      return new PostgresServer(ContainerOrigin.start());
    }
    if (wanted.startsWith("jdbc:postgresql:")) {
      PostgresServer server = new PostgresServer(RemoteOrigin.connect(wanted));
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "drop databases"));
      return server;
    }
    throw new PostgresUnavailable("-Dpostgres=" + JdbcUrl.redact(wanted) + " names no server.");
  }

  /** The JDBC URL, user and password in it, of a database that is not to be changed. */
  public String adminUrl() {
    return origin.adminUrl();
  }

  /**
   * Creates an empty database.
   *
   * @param prefix of its name, a lower-case identifier; a random suffix follows
   * @return its JDBC URL, user and password in it
   */
  public String createDatabase(String prefix) {
    return create(prefix, "");
  }

  /**
   * Creates a copy of a database of this server, to which nobody may be connected meanwhile.
   *
   * @param prefix of its name, a lower-case identifier; a random suffix follows
   * @param templateDatabaseUrl a URL that {@link #createDatabase(String)} returned
   * @return its JDBC URL, user and password in it
   */
  public String createDatabase(String prefix, String templateDatabaseUrl) {
    return create(prefix, " template \"" + JdbcUrl.database(templateDatabaseUrl) + '"');
  }

  private synchronized String create(String prefix, String template) {
    if (!prefix.matches("[a-z][a-z0-9_]{0,40}")) {
      throw new IllegalArgumentException(
          "\"" + prefix + "\" is no prefix for a database: take [a-z][a-z0-9_]*, at most 41 long.");
    }
    if (closed) {
      throw new IllegalStateException("The server is closed; no database can be created on it.");
    }
    String name = prefix + '_' + UUID.randomUUID().toString().substring(0, 8);
    execute("create database \"" + name + '"' + template);
    databases.push(name);
    return JdbcUrl.withDatabase(origin.adminUrl(), name);
  }

  private void execute(String sql) {
    try (Connection connection = connect(origin.adminUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "\"" + sql + "\" failed on " + JdbcUrl.redact(origin.adminUrl()) + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * Not through {@code DriverManager}: it hides drivers from the class loaders of Maven plugins.
   */
  static Connection connect(String url) throws SQLException {
    Connection connection = new Driver().connect(url, new Properties());
    if (connection == null) {
      throw new SQLException("The PostgreSQL driver does not understand this URL.", "08001");
    }
    return connection;
  }

  /** Drops the databases created here, people connected to them or not, and stops the server. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (origin.outlivesUs()) {
      databases.forEach(name -> execute("drop database if exists \"" + name + "\" with (force)"));
    }
    databases.clear();
    origin.stop();
  }
}

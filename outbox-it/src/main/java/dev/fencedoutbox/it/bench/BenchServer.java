package dev.fencedoutbox.it.bench;

import dev.fencedoutbox.build.PostgresServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The server that is measured: the one that {@code -Dpostgres} names, as it is set; without it an
 * embedded one whose commits are durable, unlike those of the tests' own.
 *
 * <p>Its checkpoints and vacuums come when the benchmark asks for them, before what is timed, so
 * that they do not fall on one contender and not on another.
 */
final class BenchServer implements AutoCloseable {

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final UnaryOperator<String> creation;
  private final Closeable server;

  private BenchServer(UnaryOperator<String> creation, Closeable server) {
    this.creation = creation;
    this.server = server;
  }

  /**
   * Starts it.
   *
   * @param counting whether it counts what each statement costs, which costs as well; only the
   *     embedded one can be told to
   */
  static BenchServer start(boolean counting) throws IOException {
    String choice = System.getProperty("postgres", "").strip();
    if (!choice.isEmpty() && !choice.equals("embedded")) {
      PostgresServer chosen = PostgresServer.start(choice);
      return new BenchServer(chosen::createDatabase, chosen::close);
    }
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            // Both are off by the default of this embedding.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("shared_buffers", "1GB")
            .setServerConfig("autovacuum", "off")
            .setServerConfig("checkpoint_timeout", "1h")
            .setServerConfig("max_wal_size", "16GB")
            .setServerConfig("min_wal_size", "2GB");
    if (counting) {
      builder.setServerConfig("shared_preload_libraries", "pg_stat_statements");
      builder.setServerConfig("pg_stat_statements.track_planning", "on");
    }
    EmbeddedPostgres embedded = builder.start();
    return new BenchServer(name -> created(embedded, name), embedded);
  }

  private static String created(EmbeddedPostgres embedded, String prefix) {
    String name = prefix + "_" + DATABASES.incrementAndGet();
    try (Connection connection = embedded.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
      return embedded.getJdbcUrl("postgres", name);
    } catch (SQLException e) {
      throw new IllegalStateException("Could not create the database " + name, e);
    }
  }

  /** A new database with nothing in it; its JDBC URL, user and password in it. */
  String createDatabase(String prefix) {
    return creation.apply(prefix);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

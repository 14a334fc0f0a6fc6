package dev.fencedoutbox.it.bench;

import dev.fencedoutbox.build.PostgresServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The server that is measured: the one that {@code -Dpostgres} names, as it is set; without it an
 * embedded one whose commits are durable, unlike those of the tests' own.
 *
 * <p>Its checkpoints and vacuums come when the benchmark asks for them, before what is timed, so
 * that they do not fall on one contender and not on another.
 */
final class BenchServer implements AutoCloseable {

  private final @Nullable EmbeddedPostgres own;
  private final PostgresServer server;

  private BenchServer(@Nullable EmbeddedPostgres own, PostgresServer server) {
    this.own = own;
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
      return new BenchServer(null, PostgresServer.start(choice));
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
    return new BenchServer(
        embedded, PostgresServer.start(embedded.getJdbcUrl("postgres", "postgres")));
  }

  /** A new database with nothing in it; its JDBC URL, user and password in it. */
  String createDatabase(String prefix) {
    return server.createDatabase(prefix);
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (own != null) {
      own.close();
    }
  }
}

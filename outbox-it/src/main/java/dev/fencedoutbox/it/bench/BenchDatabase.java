package dev.fencedoutbox.it.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.it.app.ShopDatabase;
import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.outbox.Channel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A database with the shop's, the library's and the textbook's tables. */
final class BenchDatabase implements AutoCloseable {

  static final Channel CHANNEL = Channel.of("bench");
  static final String TOPIC = "bench.said";

  /** Of the connections that are measured. */
  private static final String MEASURED = "bench measured";

  private static final String LIBRARY = "outbox.delivery, outbox.message, outbox.receipt";

  /** As if messages had come one after the other for some time. */
  private static final String DUE =
      "statement_timestamp() - interval '1 hour' + id * interval '50 us'";

  private static final int AT_ONCE = 100_000;
  private static final int PAYLOAD_AROUND = "{\"text\": \"\"}".length();

  private final String url;
  private final Connection connection;
  private final DSLContext dsl;

  private BenchDatabase(String url, Connection connection) {
    this.url = url;
    this.connection = connection;
    this.dsl = DSL.using(connection, SQLDialect.POSTGRES);
  }

  /** In an empty database. */
  static BenchDatabase create(String url) throws SQLException {
    try (HikariDataSource pool = pool(url, "bench set-up", 2)) {
      ShopDatabase.migrate(pool);
    }
    BenchDatabase database = new BenchDatabase(url, DriverManager.getConnection(url));
    database.dsl.execute(Textbook.TABLE);
    return database;
  }

  /** For what is not measured. */
  DSLContext dsl() {
    return dsl;
  }

  /** Connections that are measured. */
  HikariDataSource pool(int size) {
    HikariDataSource pool = pool(url, MEASURED, size);
    Waiting.until(
        () -> pool.getHikariPoolMXBean().getTotalConnections() == size, "The pool did not fill up");
    return pool;
  }

  /** A connection that is measured, in auto-commit mode. */
  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", MEASURED);
    return DriverManager.getConnection(url, properties);
  }

  /** A session elsewhere that holds a snapshot until it is closed. It has touched no table. */
  Connection olderSnapshot() throws SQLException {
    Connection reader = DriverManager.getConnection(url);
    reader.setAutoCommit(false);
    reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = reader.createStatement()) {
      statement.execute("select 1");
    }
    return reader;
  }

  private static HikariDataSource pool(String url, String applicationName, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.addDataSourceProperty("ApplicationName", applicationName);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  /** The library's tables hold the backlog and nothing else. */
  void fillLibrary(Backlog backlog) {
    dsl.execute("truncate " + LIBRARY + ", shop.customer_order restart identity");
    addToLibrary(backlog);
  }

  /** What was there stays. */
  void addToLibrary(Backlog backlog) {
    add(
        backlog,
        """
        with said as (
          insert into outbox.message (event_id, topic, content_type, ordering_key, payload_json)
          select gen_random_uuid()::text, '%s', 'application/json', %s, cast(? as jsonb)
          from generate_series(?, ?) n
          returning id, ordering_key)
        insert into outbox.delivery (message_id, channel, ordering_key, next_attempt_at)
        select id, '%s', ordering_key, %s from said
        """
            .formatted(TOPIC, backlog.keys().sql(), CHANNEL.name(), DUE));
    vacuumLibrary();
  }

  void vacuumLibrary() {
    dsl.execute("vacuum (analyze) " + LIBRARY);
  }

  /** The textbook's table holds the backlog and nothing else. */
  void fillTextbook(Backlog backlog) {
    dsl.execute("truncate textbook.outbox restart identity");
    addToTextbook(backlog);
  }

  /** What was there stays. */
  void addToTextbook(Backlog backlog) {
    add(
        backlog,
        """
        with said as (
          select nextval(pg_get_serial_sequence('textbook.outbox', 'id')) as id, cast(? as jsonb) as payload
          from generate_series(?, ?))
        insert into textbook.outbox (id, event_id, topic, payload, next_attempt_at)
        overriding system value
        select id, gen_random_uuid()::text, '%s', payload, %s from said
        """
            .formatted(TOPIC, DUE));
    dsl.execute("vacuum (analyze) textbook.outbox");
  }

  private void add(Backlog backlog, String sql) {
    dsl.execute("checkpoint"); // before, so that what is timed logs no page whole
    String payload = payload(backlog.payloadBytes());
    for (int from = 1; from <= backlog.messages(); from += AT_ONCE) {
      dsl.execute(sql, payload, from, Math.min(backlog.messages(), from + AT_ONCE - 1));
    }
  }

  /** A JSON object of so many bytes, 12 or more, that cannot be compressed. */
  static String payload(int bytes) {
    RandomGenerator random = RandomGeneratorFactory.of("SplittableRandom").create(17);
    StringBuilder text = new StringBuilder(bytes);
    for (int i = PAYLOAD_AROUND; i < bytes; i++) {
      text.append((char) ('0' + random.nextInt(64)));
    }
    return "{\"text\": \"" + text.toString().replace('\\', '-') + "\"}";
  }

  /** How far the write-ahead log has come, in bytes. */
  long walPosition() {
    return dsl.fetchSingle("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
        .get(0, Long.class);
  }

  /** The commits of connections that are measured, when they have closed. */
  long commits() {
    Waiting.until(() -> measuredConnections() == 0, "Measured connections are still open");
    dsl.fetch("select pg_stat_force_next_flush()"); // what this connection did itself
    return dsl.fetchSingle(
            "select xact_commit from pg_stat_database where datname = current_database()")
        .get(0, Long.class);
  }

  private int measuredConnections() {
    return dsl.fetchSingle(
            "select count(*) from pg_stat_activity where application_name = ? and datname = current_database()",
            MEASURED)
        .get(0, Integer.class);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

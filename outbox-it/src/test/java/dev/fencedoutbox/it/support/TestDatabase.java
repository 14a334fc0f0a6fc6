package dev.fencedoutbox.it.support;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.build.PostgresServer;
import dev.fencedoutbox.it.app.ShopDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of its own with the shop's and the library's tables, copied from a template that is
 * migrated once per JVM. The server is chosen by {@code -Dpostgres}, as in the build.
 *
 * <p>One per test class is usual: {@code static final TestDatabase DB = TestDatabase.create();}. It
 * goes when the JVM ends.
 */
public final class TestDatabase {

  private static final class Template {
    static final PostgresServer SERVER = PostgresServer.startConfigured();
    static final String URL = migrated();

    private static String migrated() {
      String url = SERVER.createDatabase("template");
      ShopDatabase.migrate(dataSource(url));
      return url;
    }
  }

  private static final List<String> TABLES =
      List.of(
          "outbox.delivery", // before its messages
          "outbox.message",
          "outbox.receipt",
          "outbox.inbox",
          "outbox.operator_action",
          "outbox.job",
          "outbox.job_action",
          "shop.customer_order",
          "shop.invoice",
          "shop.job",
          "shop.effect");

  /** Truncates what has grown, so that nobody walks the dead rows of many. */
  private static final String CLEAR =
      """
      do $$ begin
        lock table %1$s in access exclusive mode;
        if greatest(%2$s) > 65536 then
          truncate %1$s;
        else
          %3$s
        end if;
      end $$
      """
          .formatted(
              String.join(", ", TABLES),
              each("pg_relation_size('%s')", ", "),
              each("delete from %s;", " "));

  private static String each(String format, String delimiter) {
    return TABLES.stream().map(format::formatted).collect(Collectors.joining(delimiter));
  }

  private final String url;
  private final HikariDataSource pool;

  private TestDatabase(String url) {
    this.url = url;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    config.setIdleTimeout(10_000); // a server has a hundred connections for all databases
    this.pool = new HikariDataSource(config);
  }

  /** A new database, migrated and empty. */
  public static TestDatabase create() {
    return new TestDatabase(Template.SERVER.createDatabase("test", Template.URL));
  }

  /** A copy of this database as it is. Nobody but its pool may be connected to it. */
  public TestDatabase copy() {
    pool.getHikariPoolMXBean().softEvictConnections(); // PostgreSQL waits until they have gone
    return new TestDatabase(Template.SERVER.createDatabase("test", url));
  }

  /** The URL of a new database on the same server, with nothing in it. */
  public static String createEmpty() {
    return Template.SERVER.createDatabase("empty");
  }

  /** The JDBC URL, user and password in it. */
  public String url() {
    return url;
  }

  /** A pool of up to 16 connections. */
  public DataSource pool() {
    return pool;
  }

  /** Gives up the pool's connections, some of which the server may have ended. */
  public void renewPool() {
    pool.getHikariPoolMXBean().softEvictConnections();
  }

  /** A context on the pool: each statement commits by itself, {@code transaction} works. */
  public DSLContext dsl() {
    return DSL.using(pool, SQLDialect.POSTGRES);
  }

  /** A connection of its own, in auto-commit mode, to be closed by the test. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /** A context on one connection. */
  public static DSLContext on(Connection connection) {
    return DSL.using(connection, SQLDialect.POSTGRES);
  }

  /** A data source without a pool. */
  public static DataSource dataSource(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  /**
   * Empties every table of the shop and of the library, when nobody is at work on them any more. To
   * delete a few rows takes a tenth of the time that it takes to truncate nine tables.
   */
  public void clear() {
    dsl().execute(CLEAR);
  }
}

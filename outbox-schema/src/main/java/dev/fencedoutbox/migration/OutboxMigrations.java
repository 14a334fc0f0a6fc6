package dev.fencedoutbox.migration;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Creates the library's tables, or brings them up to date, by Flyway: in a schema of their own,
 * with a history table of their own in that schema. The host's schemas, migrations and Flyway
 * history are neither read nor changed, and the host's {@code classpath:db/migration} does not see
 * the library's scripts.
 *
 * <p>Transactions: each migration runs in one of its own, on connections of its own from the data
 * source; a transaction of the caller is no part of it.
 *
 * <p>Thread-safe and immutable. Processes that migrate at the same time wait for one another.
 *
 * <p>Flyway is an optional dependency: add {@code org.flywaydb:flyway-core} and {@code
 * org.flywaydb:flyway-database-postgresql}. A host without Flyway applies the {@code .sql} files in
 * this package by other means, in the order of their numbers, with the schema first on the search
 * path.
 *
 * <pre>{@code
 * OutboxMigrations.on(dataSource).migrate();
 * }</pre>
 */
public final class OutboxMigrations {
  /** The name of the history table, to be left out of a host's code generation. */
  private static final String HISTORY_TABLE = "outbox_schema_history";

  private static final String LOCATION = "classpath:dev/fencedoutbox/migration";
  private static final String DEFAULT_SCHEMA = "outbox";
  private static final Pattern SCHEMA = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");

  private final DataSource dataSource;
  private final String schema;

  private OutboxMigrations(DataSource dataSource, String schema) {
    this.dataSource = dataSource;
    this.schema = schema;
  }

  /**
   * The library's migrations into the schema {@code outbox}. Does nothing yet.
   *
   * @param dataSource whose user may create a schema, or owns the one that is there
   */
  public static OutboxMigrations on(DataSource dataSource) {
    return new OutboxMigrations(dataSource, DEFAULT_SCHEMA);
  }

  /**
   * The same into another schema, which must hold nothing else. Statements find it there by the
   * host's jOOQ {@code renderMapping}.
   *
   * @param otherSchema a lower-case name that needs no quotes, at most 63 characters
   * @throws IllegalArgumentException if the name is another
   */
  public OutboxMigrations intoSchema(String otherSchema) {
    if (!SCHEMA.matcher(otherSchema).matches()) {
      throw new IllegalArgumentException(
          "\""
              + otherSchema
              + "\" cannot be the library's schema: take a lower-case name of letters, digits and _"
              + " of at most 63 characters that does not begin with a digit or pg_.");
    }
    return new OutboxMigrations(dataSource, otherSchema);
  }

  /**
   * The Flyway configuration that {@link #migrate()} uses, a new one at each call, for hosts that
   * want to add to it: callbacks, an own logger, retries. It reads neither environment variables
   * nor Flyway's configuration files. Schema, table, locations and baseline are to stay as they
   * are.
   *
   * @throws IllegalStateException if Flyway, or its part for PostgreSQL, is not on the class path
   */
  public FluentConfiguration configuration() {
    ClassLoader loader = OutboxMigrations.class.getClassLoader();
    requireFlyway(loader);
    return Flyway.configure(loader)
        .dataSource(dataSource)
        .locations(LOCATION)
        .failOnMissingLocations(true)
        .schemas(schema)
        .defaultSchema(schema)
        .createSchemas(true)
        .table(HISTORY_TABLE)
        // A baseline would mark the first migrations as done without having run them.
        .baselineOnMigrate(false)
        .placeholderReplacement(false)
        .cleanDisabled(true);
  }

  /**
   * Runs the migrations that this database has not seen.
   *
   * @return how many ran; 0 if the schema was up to date
   * @throws IllegalStateException if Flyway, or its part for PostgreSQL, is not on the class path
   * @throws org.flywaydb.core.api.FlywayException if a migration fails, if one that already ran was
   *     changed, or if the schema holds objects but no history; what the failed one did is rolled
   *     back
   */
  public int migrate() {
    return configuration().load().migrate().migrationsExecuted;
  }

  private static void requireFlyway(ClassLoader loader) {
    boolean found =
        Stream.of(
                "org.flywaydb.database.postgresql.PostgreSQLDatabaseType",
                "org.flywaydb.core.internal.database.postgresql.PostgreSQLDatabaseType") // before
            // 10
            .anyMatch(name -> isPresent(name, loader));
    if (!found) {
      throw new IllegalStateException(
          "Flyway for PostgreSQL is not on the class path, so the outbox tables were not migrated."
              + " Add org.flywaydb:flyway-core and org.flywaydb:flyway-database-postgresql, both"
              + " of the same version, or apply the .sql files of dev/fencedoutbox/migration in"
              + " outbox-schema by other means.");
    }
  }

  private static boolean isPresent(String className, ClassLoader loader) {
    try {
      Class.forName(className, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}

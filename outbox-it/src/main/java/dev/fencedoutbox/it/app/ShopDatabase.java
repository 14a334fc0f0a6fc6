package dev.fencedoutbox.it.app;

import dev.fencedoutbox.migration.OutboxMigrations;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings a database up to date: the shop's own migrations, then the library's. */
public final class ShopDatabase {

  private ShopDatabase() {}

  /** Runs both; each keeps a history of its own. */
  public static void migrate(DataSource dataSource) {
    Flyway.configure()
        .dataSource(dataSource)
        .schemas("shop")
        .defaultSchema("shop")
        .load()
        .migrate();
    OutboxMigrations.on(dataSource).migrate();
  }
}

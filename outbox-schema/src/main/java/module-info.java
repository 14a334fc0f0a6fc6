/**
 * The library's tables: the migrations that make them, and the jOOQ classes generated from them.
 *
 * <p>Flyway is optional, and required by {@code dev.fencedoutbox.migration} alone: a host that
 * wants it names it in its own module descriptor.
 */
@SuppressWarnings("requires-automatic") // Flyway has no other
module dev.fencedoutbox.schema {
  requires transitive java.sql;
  requires transitive org.jooq;
  requires static flyway.core;
  requires static org.jspecify;

  exports dev.fencedoutbox.migration;
  exports dev.fencedoutbox.schema;
  exports dev.fencedoutbox.schema.enums;
  exports dev.fencedoutbox.schema.tables;
  exports dev.fencedoutbox.schema.tables.records;

  // Scripts are resources of this package, and Flyway reads them by the class loader.
  opens dev.fencedoutbox.migration;
}

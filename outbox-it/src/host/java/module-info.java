/** A host with modules: it names what it uses, and of the library's optional modules, Flyway. */
@SuppressWarnings("requires-automatic")
module dev.fencedoutbox.host {
  requires dev.fencedoutbox.core;
  requires flyway.core;
  requires java.naming; // the driver's data sources are Referenceable
  requires org.postgresql.jdbc;
}

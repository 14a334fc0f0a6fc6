/**
 * Leases, the outbox, the inbox, relays, jobs and what operators need.
 *
 * <p>What is required statically is optional, and each such module is used by one package. A host
 * that wants it names it in its own module descriptor.
 */
@SuppressWarnings("requires-automatic") // they have no other
module dev.fencedoutbox.core {
  requires transitive dev.fencedoutbox.schema;
  requires transitive java.net.http;
  requires transitive java.sql;
  requires transitive org.jooq;
  requires org.slf4j;
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.context;
  requires static kafka.clients;
  requires static micrometer.core;
  requires static org.jspecify;
  requires static org.postgresql.jdbc;

  exports dev.fencedoutbox.http;
  exports dev.fencedoutbox.inbox;
  exports dev.fencedoutbox.job;
  exports dev.fencedoutbox.kafka;
  exports dev.fencedoutbox.lease;
  exports dev.fencedoutbox.micrometer;
  exports dev.fencedoutbox.notify;
  exports dev.fencedoutbox.opentelemetry;
  exports dev.fencedoutbox.operate;
  exports dev.fencedoutbox.outbox;
  exports dev.fencedoutbox.relay;
  exports dev.fencedoutbox.testkit;
}

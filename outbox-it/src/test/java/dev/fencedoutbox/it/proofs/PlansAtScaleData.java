package dev.fencedoutbox.it.proofs;

import dev.fencedoutbox.it.proofs.Backlog.Statistics;
import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/**
 * A database with so many finished and so many future rows in each table of the library, of the
 * channel and the kind that the calls are about; every tenth future delivery has an ordering key,
 * which ten of them share. What is due comes beside them, in the transaction of each test.
 */
final class PlansAtScaleData {

  /** In an order in which they may become unlogged, as to their foreign key. */
  private static final List<String> TABLES =
      List.of("delivery", "message", "receipt", "inbox", "operator_action", "job");

  private static final String NAMES =
      TABLES.stream()
          .map(name -> "'outbox." + name + "'::regclass")
          .collect(Collectors.joining(", "));

  private static final String FILL =
      """
      insert into outbox.message (id, created_at, event_id, topic, content_type, payload_json)
        overriding system value
        select n, now() - interval '1 day', 'e' || lpad(n::text, 8, '0'), 'plain', 'application/json', '1'
        from generate_series(1, 2 * %1$d + 100) n;
      insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel, delivered_at)
        select n, n, 1, 1, 'default', now() - interval '1 day' from generate_series(1, %1$d) n;
      insert into outbox.delivery (id, message_id, channel, next_attempt_at, ordering_key)
        overriding system value
        select n, n, 'default', now() + interval '1 day', case when n %% 10 = 0 then 'z' || n / 100 end
        from generate_series(%1$d + 1, 2 * %1$d) n;
      insert into outbox.inbox (consumer, event_id, received_at)
        select 'billing', 'e' || lpad(n::text, 8, '0'), now() - interval '1 day'
        from generate_series(1, %1$d) n;
      insert into outbox.operator_action (id, acted_at, delivery_id, message_id, epoch, attempts, verb,
          event_id, topic, channel, who, why) overriding system value
        select n, now() - interval '1 day', n, n, 1, 1, 'DISCARD', 'e' || n, 'plain', 'default', 'ann', 'x'
        from generate_series(1, %1$d) n;
      insert into outbox.job (id, kind, job_key, input, status, next_attempt_at, ended_at, epoch, attempts)
        overriding system value
        select n, 'render', 'd' || lpad(n::text, 8, '0'), '{}', 'DONE', '9999-12-31 00:00:00+00', now(), 1, 1
        from generate_series(1, %1$d) n;
      insert into outbox.job (id, kind, job_key, input, next_attempt_at) overriding system value
        select n, 'render', 'd' || lpad(n::text, 8, '0'), '{}', now() + interval '1 day'
        from generate_series(%1$d + 1, 2 * %1$d) n;
      """;

  private static final String DUE =
      """
      insert into outbox.delivery (message_id, channel, next_attempt_at)
        select n, 'default', now() - interval '1 hour' from generate_series(2 * %1$d + 1, 2 * %1$d + 100) n;
      insert into outbox.job (kind, job_key, input, next_attempt_at)
        select 'render', 'due' || n, '{}', now() - interval '1 hour' from generate_series(1, 100) n;
      """;

  private final TestDatabase database = TestDatabase.create();
  private final int rows;
  private Statistics known = Statistics.ABSENT;

  PlansAtScaleData(int rows) throws SQLException {
    this.rows = rows;
    try (Connection connection = database.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      dsl.execute("set session_replication_role = replica"); // no look at messages
      for (String table : TABLES) {
        dsl.execute("alter table outbox." + table + " set unlogged");
        dsl.execute(
            "alter table outbox." + table + " set (autovacuum_enabled = false, fillfactor = 100)");
      }
      dsl.execute(FILL.formatted(rows));
      for (String table : List.of("message", "delivery", "operator_action", "job")) {
        dsl.execute(
            "select setval(pg_get_serial_sequence('outbox."
                + table
                + "', 'id'), "
                + (2 * rows + 1_000)
                + ")");
      }
      for (String table : List.of("delivery", "job")) {
        dsl.execute("alter table outbox." + table + " set (fillfactor = 33)");
      }
      dsl.execute("vacuum"); // hint bits and visibility, once and for all
    }
    forget(-1);
  }

  int rows() {
    return rows;
  }

  Connection connect() throws SQLException {
    return database.connect();
  }

  /** Adds a hundred deliveries and a hundred jobs that have been due for an hour. */
  void addDue(DSLContext dsl) {
    dsl.execute(DUE.formatted(rows));
  }

  /** Lets the planner know that much from now on. */
  void know(Statistics statistics) {
    if (statistics == known) {
      return;
    }
    known = statistics;
    switch (statistics) {
      case ABSENT -> forget(-1);
      case STALE -> forget(0);
      case FRESH -> TABLES.forEach(table -> database.dsl().execute("analyze outbox." + table));
    }
  }

  /** As before the first ANALYZE, -1, or after one of empty tables, 0, which leaves no more. */
  private void forget(int tuples) {
    DSLContext dsl = database.dsl();
    dsl.execute("delete from pg_statistic where starelid in (" + NAMES + ")");
    dsl.execute(
        "update pg_class set relpages = 0, relallvisible = 0, reltuples = "
            + tuples
            + " where oid in ("
            + NAMES
            + ")");
    dsl.execute(
        "update pg_class set relpages = 1, reltuples = 0 where oid in"
            + " (select indexrelid from pg_index where indrelid in ("
            + NAMES
            + "))");
  }
}

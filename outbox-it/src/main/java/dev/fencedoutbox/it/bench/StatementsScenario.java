package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What each statement costs the server while it is drained, and while messages are enqueued. */
final class StatementsScenario implements Scenario {

  static final String NAME = "statements";

  private static final String MOST_DEAR =
      """
      select regexp_replace(left(query, 60), '\\s+', ' ', 'g') as statement, calls, mean_plan_time as plan_ms,
        mean_exec_time as run_ms, total_plan_time + total_exec_time as total_ms
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and calls > 10
      order by total_ms desc
      limit 5
      """;

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    DSLContext dsl = database.dsl();
    dsl.execute("create extension if not exists pg_stat_statements");
    List<List<String>> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<Double> totals = new ArrayList<>();
    for (Load load : loads(database, setting.messages())) {
      double nanos = 0;
      for (int round = 0; round <= setting.rounds(); round++) {
        database.fillLibrary(load.backlog());
        dsl.fetch("select pg_stat_statements_reset()");
        nanos = load.run().nanos();
      }
      rows.add(List.of(load.name(), "", "", "", Results.cell(nanos / 1e6, 0), "from start to end"));
      for (Record row : dsl.fetch(MOST_DEAR)) {
        String name = load.name() + " " + (names.size() + 1);
        names.add(name);
        totals.add(row.get("total_ms", Double.class));
        rows.add(row(name, row));
      }
    }
    return new Section(
        "Where the server's time goes",
        "By pg_stat_statements, the last of %d times that %,d messages were drained, and a twentieth as many enqueued."
            .formatted(setting.rounds() + 1, setting.messages()),
        new Table(List.of("", "calls", "plan ms", "run ms", "total ms", "statement"), rows),
        new Chart("total ms", names, Map.of("total ms", totals)),
        List.of(),
        Map.of());
  }

  private interface Run {
    double nanos() throws Exception;
  }

  private record Load(String name, Backlog backlog, Run run) {}

  private static List<Load> loads(BenchDatabase database, int messages) {
    List<Load> loads = new ArrayList<>();
    Backlog free = Backlog.of(messages);
    Contender limit = new Limit(database, BATCH, WORKERS_PER_RELAY);
    loads.add(new Load(limit.name(), free, () -> limit.drainNanos(messages)));
    Contender relay = new Library(database, Library.inBatchesOf(BATCH), 1);
    for (Keys keys : Keys.values()) {
      Backlog backlog = new Backlog(messages, Backlog.USUAL_BYTES, keys);
      loads.add(
          new Load(relay.name() + ", " + keys.label(), backlog, () -> relay.drainNanos(messages)));
    }
    loads.add(new Load("enqueue", free, () -> enqueueNanos(database, messages / 20)));
    return loads;
  }

  private static double enqueueNanos(BenchDatabase database, int orders) {
    long begun = System.nanoTime();
    try (HikariDataSource pool = database.pool(1)) {
      Orders shop = new Orders(DSL.using(pool, SQLDialect.POSTGRES), Outbox.create());
      for (int i = 0; i < orders; i++) {
        shop.takeAndSay(Orders.newId());
      }
    }
    return System.nanoTime() - begun;
  }

  private static List<String> row(String name, Record row) {
    return List.of(
        name,
        row.get("calls", String.class),
        Results.cell(row.get("plan_ms", Double.class), 3),
        Results.cell(row.get("run_ms", Double.class), 3),
        Results.cell(row.get("total_ms", Double.class), 0),
        row.get("statement", String.class));
  }
}

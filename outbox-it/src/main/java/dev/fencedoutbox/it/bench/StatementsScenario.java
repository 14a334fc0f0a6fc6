package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    Backlog backlog = Backlog.of(setting.messages());
    DSLContext dsl = database.dsl();
    dsl.execute("create extension if not exists pg_stat_statements");
    List<List<String>> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<Double> totals = new ArrayList<>();
    Map<String, Run> runs = new LinkedHashMap<>();
    for (Contender contender :
        List.of(
            new Limit(database, BATCH, WORKERS_PER_RELAY),
            new Library(database, Library.inBatchesOf(BATCH), 1))) {
      runs.put(contender.name(), () -> contender.drainNanos(backlog.messages()));
    }
    runs.put("enqueue", () -> enqueue(database, backlog.messages() / 20));
    for (Map.Entry<String, Run> run : runs.entrySet()) {
      for (int round = 0; round <= setting.rounds(); round++) {
        database.fillLibrary(backlog);
        dsl.fetch("select pg_stat_statements_reset()");
        run.getValue().run();
      }
      for (Record row : dsl.fetch(MOST_DEAR)) {
        String name = run.getKey() + " " + (names.size() + 1);
        names.add(name);
        totals.add(row.get("total_ms", Double.class));
        rows.add(row(name, row));
      }
    }
    return new Section(
        "Where the server's time goes",
        "By pg_stat_statements, the last of %d times that %,d messages were drained, and a twentieth as many enqueued."
            .formatted(setting.rounds() + 1, backlog.messages()),
        new Table(List.of("", "calls", "plan ms", "run ms", "total ms", "statement"), rows),
        new Chart("total ms", names, Map.of("total ms", totals)),
        List.of(),
        Map.of());
  }

  private interface Run {
    void run() throws Exception;
  }

  private static void enqueue(BenchDatabase database, int orders) {
    try (HikariDataSource pool = database.pool(1)) {
      Orders shop = new Orders(DSL.using(pool, SQLDialect.POSTGRES), Outbox.create());
      for (int i = 0; i < orders; i++) {
        shop.takeAndSay(Orders.newId());
      }
    }
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

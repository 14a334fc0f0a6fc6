package dev.fencedoutbox.it.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What it costs a business transaction that it also says what it did. */
final class EnqueueScenario implements Scenario {

  static final String NAME = "enqueue";

  private static final String ALONE = "insert";
  private static final String BOTH = "insert + message";
  private static final String BY_HAND = "the same by hand";
  private static final String MANY = "100 messages at once";
  private static final List<String> NAMES = List.of(ALONE, BOTH, BY_HAND, MANY);

  private static final int WRITERS = 2;
  private static final int AT_ONCE = 100;

  private final Backlog nothing = Backlog.of(0);

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    int transactions = setting.messages() / 20;
    int statements = setting.messages() / 5 / AT_ONCE;
    Map<String, Rounds.Turn<Drain>> turns = new LinkedHashMap<>();
    turns.put(ALONE, () -> byJooq(database, transactions, 1, Orders::take));
    turns.put(
        BOTH, () -> byJooq(database, transactions, 1, orders -> orders.takeAndSay(Orders.newId())));
    turns.put(BY_HAND, () -> byHand(database, transactions));
    turns.put(MANY, () -> byJooq(database, statements, AT_ONCE, orders -> orders.say(AT_ONCE)));
    Results results = new Results(setting.inTurns().run(NAME, turns));
    double ratio = results.ratio(BOTH, ALONE);
    return new Section(
        "Enqueue",
        "By %d writers, an order a transaction: alone, with a message of %d bytes by the library, and with one by the same"
                .formatted(WRITERS, Backlog.USUAL_BYTES)
            + " statements over JDBC; then messages alone, %d a transaction.".formatted(AT_ONCE),
        table(results),
        new Chart(
            "a second",
            NAMES,
            Map.of("orders or messages a second", NAMES.stream().map(results::rate).toList())),
        List.of(Target.atLeast("insert + message / insert", ratio, 0.75)),
        Map.of("enqueue/insert", String.format(Locale.ROOT, "%.2f", ratio)));
  }

  private interface Act {
    void on(Orders orders);
  }

  private Drain byJooq(BenchDatabase database, int transactions, int each, Act act)
      throws Exception {
    database.fillLibrary(nothing);
    return new Meter(database)
        .measure(
            transactions * each,
            () -> {
              try (HikariDataSource pool = database.pool(WRITERS)) {
                Orders orders = new Orders(DSL.using(pool, SQLDialect.POSTGRES), Outbox.create());
                return Together.nanos(writers(transactions, () -> act.on(orders)));
              }
            });
  }

  private Drain byHand(BenchDatabase database, int transactions) throws Exception {
    database.fillLibrary(nothing);
    return new Meter(database)
        .measure(
            transactions,
            () -> {
              try (Connection first = database.connect();
                  Connection second = database.connect()) {
                List<Callable<Void>> writers = new ArrayList<>();
                for (Connection connection : List.of(first, second)) {
                  HandWrittenOrders orders = new HandWrittenOrders(connection);
                  writers.add(times(transactions / WRITERS, orders::takeAndSay));
                }
                return Together.nanos(writers);
              }
            });
  }

  private interface Step {
    void take() throws Exception;
  }

  private static List<Callable<Void>> writers(int transactions, Step step) {
    List<Callable<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(times(transactions / WRITERS, step));
    }
    return writers;
  }

  private static Callable<Void> times(int times, Step step) {
    return () -> {
      for (int i = 0; i < times; i++) {
        step.take();
      }
      return null;
    };
  }

  private static Table table(Results results) {
    List<List<String>> rows = new ArrayList<>();
    for (String name : NAMES) {
      rows.add(
          List.of(
              name,
              results.rateCell(name),
              Results.cell(results.ratio(name, ALONE), 2),
              Results.cell(results.median(name, Drain::walBytesEach), 0),
              Results.cell(results.median(name, Drain::cpuMicrosEach), 0),
              Results.cell(results.median(name, Drain::compilerMicrosEach), 0)));
    }
    return new Table(
        List.of(
            "",
            "a second (lowest-highest)",
            "of the insert",
            "WAL bytes each",
            "client CPU us each",
            "Java's compiler at work, us each"),
        rows);
  }
}

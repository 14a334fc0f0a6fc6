package dev.fencedoutbox.it.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.Wakeup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** How long after its commit a message is with its handler, under a load that leaves room. */
final class LatencyScenario implements Scenario {

  static final String NAME = "latency";

  private static final int PER_SECOND = 500;
  private static final int PRODUCERS = 2;
  private static final int RELAY_CONNECTIONS = 4;
  private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 100.0);
  private static final double NANOS_PER_MILLI = 1e6;

  private record Round(Histogram latencies, boolean warm) {}

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    int messages = setting.messages() / 10;
    Histogram all = Latencies.histogram();
    List<List<String>> rows = new ArrayList<>();
    setting
        .inTurns()
        .warmUp(
            NAME,
            which -> {
              Round round = round(database, messages);
              tell(setting, which, round.latencies());
              return round.warm();
            });
    for (int round = 1; round <= setting.rounds(); round++) {
      Histogram measured = round(database, messages).latencies();
      tell(setting, "round %d/%d".formatted(round, setting.rounds()), measured);
      all.add(measured);
      rows.add(row("round " + round, measured));
    }
    rows.add(row("all", all));
    double p50 = millis(all, 50);
    double p99 = millis(all, 99);
    return new Section(
        "From commit to handler",
        "%d orders with a message a second, by %d producers that keep to a schedule whatever happens; a relay with default options"
                .formatted(PER_SECOND, PRODUCERS)
            + " in the same JVM, woken by their commits. From the return of the commit to the call of the handler.",
        new Table(List.of("milliseconds", "p50", "p90", "p99", "p99.9", "max"), rows),
        chart(all),
        List.of(
            Target.atMost("commit to handler, p50 ms", p50, 5, 1),
            Target.atMost("commit to handler, p99 ms", p99, 50, 1)),
        Map.of(
            "p50_ms", String.format(Locale.ROOT, "%.1f", p50),
            "p99_ms", String.format(Locale.ROOT, "%.1f", p99)));
  }

  private static void tell(Setting setting, String which, Histogram measured) {
    setting.out().printf("%-9s %-10s   %s%n", NAME, which, cells(measured));
  }

  private static Round round(BenchDatabase database, int messages) throws Exception {
    database.fillLibrary(Backlog.of(0));
    Latencies latencies = new Latencies(messages);
    Wakeup wakeup = new Wakeup();
    try (HikariDataSource relays = database.pool(RELAY_CONNECTIONS);
        HikariDataSource producers = database.pool(PRODUCERS);
        Relay relay =
            Relay.from(relays)
                .channel(BenchDatabase.CHANNEL)
                .wakenBy(wakeup)
                .on(Library.TOPIC, (payload, attempt) -> latencies.handled(attempt.eventId()))
                .start()) {
      DSLContext dsl = DSL.using(producers, SQLDialect.POSTGRES);
      Orders orders =
          new Orders(dsl.configuration().derive(wakeup).dsl(), Outbox.create().telling(wakeup));
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        tasks.add(producer(i, messages, orders, latencies));
      }
      long compiler = Meter.compilerNanos();
      long nanos = Together.nanos(tasks);
      boolean warm = Drain.isWarm(Meter.compilerNanos() - compiler, nanos);
      return new Round(latencies.await(relay), warm);
    }
  }

  /** Each of its messages has its time; one that comes late does not move those after it. */
  private static Callable<Void> producer(
      int which, int messages, Orders orders, Latencies latencies) {
    return () -> {
      long begun = System.nanoTime();
      for (int i = which; i < messages; i += PRODUCERS) {
        long dueNanos = begun + i * 1_000_000_000L / PER_SECOND;
        for (long left = dueNanos - System.nanoTime();
            left > 0;
            left = dueNanos - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        String id = Orders.newId();
        orders.takeAndSay(id);
        latencies.committed(id);
      }
      return null;
    };
  }

  private static List<String> row(String what, Histogram histogram) {
    List<String> row = new ArrayList<>(List.of(what));
    row.addAll(cells(histogram));
    return row;
  }

  private static List<String> cells(Histogram histogram) {
    return PERCENTILES.stream().map(each -> Results.cell(millis(histogram, each), 2)).toList();
  }

  private static Chart chart(Histogram all) {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    values.put("relay", PERCENTILES.stream().map(each -> millis(all, each)).toList());
    return new Chart("milliseconds", List.of("p50", "p90", "p99", "p99.9", "max"), values);
  }

  private static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }
}

package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A backlog is drained: by hand, by a relay, and from the textbook's table. */
final class DrainScenario implements Scenario {

  static final String NAME = "drain";

  private static final List<String> CONTENDERS = List.of("limit", "relay", "textbook");

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    Backlog backlog = Backlog.of(setting.messages());
    Results results =
        new Results(
            setting
                .inTurns()
                .drain(
                    NAME,
                    List.of(
                        Race.all(database, new Limit(database, BATCH, WORKERS_PER_RELAY), backlog),
                        Race.all(
                            database,
                            new Library(database, Library.inBatchesOf(BATCH), 1),
                            backlog),
                        Race.all(
                            database, new Textbook(database, BATCH, WORKERS_PER_RELAY), backlog))));
    double ofLimit = results.ratio("relay", "limit");
    double ofTextbook = results.ratio("relay", "textbook");
    double wal = results.median("relay", Drain::walBytesEach);
    return new Section(
        "Claim, deliver, complete",
        "A backlog of %,d messages of %d bytes, claims of %d, three connections at work. The limit: the library's own"
                .formatted(backlog.messages(), backlog.payloadBytes(), BATCH)
            + " statements by hand over JDBC. The relay: default options, a handler that does nothing. The textbook:"
            + " one table with the state in it, by hand over JDBC.",
        new Table(
            List.of(
                "",
                "messages/s (lowest-highest)",
                "of the limit",
                "WAL bytes each",
                "commits per 1,000",
                "client CPU us each",
                "Java's compiler at work, us each"),
            CONTENDERS.stream().map(name -> row(results, name)).toList()),
        new Chart(
            "messages/s",
            CONTENDERS,
            Map.of("messages/s", CONTENDERS.stream().map(results::rate).toList())),
        List.of(
            Target.atLeast("relay / limit", ofLimit, 0.8),
            Target.atLeast("relay / textbook", ofTextbook, 1.6),
            Target.atMost("WAL bytes of claim + complete, each message", wal, 700, 0)),
        Map.of(
            "relay/limit", String.format(Locale.ROOT, "%.2f", ofLimit),
            "relay/textbook", String.format(Locale.ROOT, "%.2f", ofTextbook),
            "wal_bytes", String.format(Locale.ROOT, "%.0f", wal)));
  }

  private static List<String> row(Results results, String name) {
    return List.of(
        name,
        results.rateCell(name),
        Results.cell(results.ratio(name, "limit"), 2),
        Results.cell(results.median(name, Drain::walBytesEach), 0),
        Results.cell(results.median(name, Drain::commitsEach) * 1_000, 1),
        Results.cell(results.median(name, Drain::cpuMicrosEach), 1),
        Results.cell(results.median(name, Drain::compilerMicrosEach), 1));
  }
}

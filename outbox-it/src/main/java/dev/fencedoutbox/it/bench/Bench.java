package dev.fencedoutbox.it.bench;

import dev.fencedoutbox.build.PostgresUnavailable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The benchmark's command: {@code mvn -q -Pbench verify -Dbench.messages=50000}. */
@Command(name = "bench", mixinStandardHelpOptions = true)
public final class Bench implements Callable<Integer> {

  @Option(names = "--messages", defaultValue = "50000")
  private int messages;

  @Option(names = "--rounds", defaultValue = "5")
  private int rounds;

  private final PrintStream out;

  Bench(PrintStream out) {
    this.out = out;
  }

  /** Ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench(System.out)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    try (BenchServer server = BenchServer.start();
        BenchDatabase database = BenchDatabase.create(server, "bench")) {
      out.println(database.dsl().fetch("select version(), current_setting('fsync')"));
      Backlog backlog = Backlog.of(messages);
      Map<String, List<Drain>> m =
          new Rounds(out, rounds)
              .run(
                  "drain",
                  List.of(
                      race(new Limit(database, 100, 2), database, backlog),
                      race(new Library(database, Library.inBatchesOf(100), 1), database, backlog),
                      race(new Textbook(database, 100, 2), database, backlog)));
      m.forEach(
          (name, drains) ->
              out.printf(
                  Locale.ROOT,
                  "%-10s %,8.0f/s  wal %5.0f B  commits %.4f  cpu %.1f us%n",
                  name,
                  Median.of(drains, Drain::perSecond),
                  Median.of(drains, Drain::walBytesEach),
                  Median.of(drains, Drain::commitsEach),
                  Median.of(drains, Drain::cpuMicrosEach)));
      double limit = Median.of(m.get("limit"), Drain::perSecond);
      double relay = Median.of(m.get("relay"), Drain::perSecond);
      double textbook = Median.of(m.get("textbook"), Drain::perSecond);
      out.printf(Locale.ROOT, "bench: relay/limit=%.2f relay/textbook=%.2f%n", relay / limit, relay / textbook);
      return 0;
    } catch (PostgresUnavailable e) {
      out.println(e.getMessage());
      return 2;
    }
  }

  private static Rounds.Race race(Contender contender, BenchDatabase database, Backlog backlog) {
    return new Rounds.Race(contender.name(), contender, database, backlog, backlog.messages());
  }
}

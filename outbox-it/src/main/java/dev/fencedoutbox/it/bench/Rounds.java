package dev.fencedoutbox.it.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lets contenders drain in turns, so that whatever happens to the machine happens to all of them.
 * The first round warms up and does not count.
 */
final class Rounds {

  /** What is drained by whom; names are unique in their scenario. */
  record Race(String name, Contender contender, BenchDatabase database, Backlog backlog, int drained) {}

  private final PrintStream out;
  private final int rounds;

  Rounds(PrintStream out, int rounds) {
    this.out = out;
    this.rounds = rounds;
  }

  /** The drains of each race by its name, in the order of the races. */
  Map<String, List<Drain>> run(String scenario, List<Race> races) throws Exception {
    Map<String, List<Drain>> measured = new LinkedHashMap<>();
    races.forEach(race -> measured.put(race.name(), new ArrayList<>()));
    for (int round = 0; round <= rounds; round++) {
      StringBuilder line = new StringBuilder();
      for (Race race : races) {
        race.contender().fill(race.backlog());
        Drain drain = new Meter(race.database()).drain(race.contender(), race.drained());
        line.append(String.format(Locale.ROOT, "   %s %,.0f/s", race.name(), drain.perSecond()));
        if (round > 0) {
          measured.get(race.name()).add(drain);
        }
      }
      String which = round == 0 ? "warm-up" : "round %d/%d".formatted(round, rounds);
      out.printf("%-9s %-10s%s%n", scenario, which, line);
    }
    return measured;
  }
}

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

  private final PrintStream out;
  private final int rounds;

  Rounds(PrintStream out, int rounds) {
    this.out = out;
    this.rounds = rounds;
  }

  /** What is done in turns with others. */
  @FunctionalInterface
  interface Turn<T> {

    /** Does it once. */
    T take() throws Exception;
  }

  /** What each race took, by its name, which is unique. */
  Map<String, List<Drain>> drain(String scenario, List<Race> races) throws Exception {
    Map<String, Turn<Drain>> turns = new LinkedHashMap<>();
    races.forEach(race -> turns.put(race.name(), race::run));
    return run(scenario, turns);
  }

  /** What each turn took, by its name. */
  Map<String, List<Drain>> run(String scenario, Map<String, Turn<Drain>> turns) throws Exception {
    Map<String, List<Drain>> measured = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      StringBuilder line = new StringBuilder();
      for (Map.Entry<String, Turn<Drain>> turn : turns.entrySet()) {
        Drain drain = turn.getValue().take();
        line.append(String.format(Locale.ROOT, "   %s %.0f/s", turn.getKey(), drain.perSecond()));
        if (round > 0) {
          measured.computeIfAbsent(turn.getKey(), first -> new ArrayList<>()).add(drain);
        }
      }
      String which = round == 0 ? "warm-up" : "round %d/%d".formatted(round, rounds);
      out.printf("%-9s %-10s%s%n", scenario, which, line);
    }
    return measured;
  }
}

package dev.fencedoutbox.it.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lets contenders drain in turns, so that whatever happens to the machine happens to all of them.
 *
 * <p>Rounds come first that warm up and do not count: at least one, and more until Java's compiler
 * has little left to do. It shares the cores with whoever is measured, and a service that has been
 * up for some minutes has it behind it.
 */
final class Rounds {

  private final PrintStream out;
  private final int mostWarmUps;
  private final int rounds;

  Rounds(PrintStream out, int mostWarmUps, int rounds) {
    this.out = out;
    this.mostWarmUps = mostWarmUps;
    this.rounds = rounds;
  }

  /** What is done in turns with others. */
  @FunctionalInterface
  interface Turn<T> {

    /** Does it once. */
    T take() throws Exception;
  }

  /** A round that does not count. */
  @FunctionalInterface
  interface WarmUp {

    /** Goes through it, and tells whether Java's compiler had little left to do. */
    boolean isWarmAfter(String which) throws Exception;
  }

  /** Until it is warm, or enough of them. */
  void warmUp(String scenario, WarmUp round) throws Exception {
    boolean warm = false;
    for (int i = 1; i <= mostWarmUps && !warm; i++) {
      warm = round.isWarmAfter("warm-up " + i);
    }
    if (!warm) {
      out.printf("%-9s Java's compiler has still more than a tenth of a turn.%n", scenario);
    }
  }

  /** What each race took, by its name, which is unique. */
  Map<String, List<Drain>> drain(String scenario, List<Race> races) throws Exception {
    Map<String, Turn<Drain>> turns = new LinkedHashMap<>();
    races.forEach(race -> turns.put(race.name(), race::run));
    return run(scenario, turns);
  }

  /** What each turn took, by its name. */
  Map<String, List<Drain>> run(String scenario, Map<String, Turn<Drain>> turns) throws Exception {
    warmUp(
        scenario, which -> round(scenario, which, turns).values().stream().allMatch(Drain::isWarm));
    Map<String, List<Drain>> measured = new LinkedHashMap<>();
    for (int i = 1; i <= rounds; i++) {
      round(scenario, "round %d/%d".formatted(i, rounds), turns)
          .forEach(
              (name, drain) ->
                  measured.computeIfAbsent(name, first -> new ArrayList<>()).add(drain));
    }
    return measured;
  }

  private Map<String, Drain> round(String scenario, String which, Map<String, Turn<Drain>> turns)
      throws Exception {
    Map<String, Drain> round = new LinkedHashMap<>();
    StringBuilder line = new StringBuilder();
    for (Map.Entry<String, Turn<Drain>> turn : turns.entrySet()) {
      Drain drain = turn.getValue().take();
      line.append(String.format(Locale.ROOT, "   %s %.0f/s", turn.getKey(), drain.perSecond()));
      round.put(turn.getKey(), drain);
    }
    out.printf("%-9s %-10s%s%n", scenario, which, line);
    return round;
  }
}

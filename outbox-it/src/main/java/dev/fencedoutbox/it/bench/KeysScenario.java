package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What order costs. */
final class KeysScenario implements Scenario {

  static final String NAME = "keys";

  /** With a key each, however brief the run is: what the walk over them costs shows with many. */
  private static final int FEWEST_KEYS = 100_000;

  private static final Map<Keys, Double> TO_REACH =
      new EnumMap<>(Map.of(Keys.ONE, 0.3, Keys.THOUSAND, 0.8, Keys.EACH, 0.6));

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    List<Race> races = new ArrayList<>();
    for (Keys keys : Keys.values()) {
      Backlog backlog = new Backlog(messages(setting, keys), Backlog.USUAL_BYTES, keys);
      Contender relay = new Library(database, Library.inBatchesOf(BATCH), 1);
      races.add(
          new Race(
              Grid.name("relay", keys.label()),
              database,
              () -> relay.fill(backlog),
              relay,
              Math.min(setting.messages() / 2, backlog.messages())));
    }
    Grid grid =
        new Grid(
            "ordering",
            List.of(Keys.values()).stream().map(Keys::label).toList(),
            List.of("relay"),
            new Results(setting.inTurns().drain(NAME, races)));
    List<Target> targets = new ArrayList<>();
    TO_REACH.forEach(
        (keys, least) ->
            targets.add(
                Target.atLeast(
                    keys.label() + " / no key",
                    grid.rate("relay", keys.label()) / grid.rate("relay", Keys.NONE.label()),
                    least)));
    return new Section(
        "Ordering keys",
        "The same relay with messages under ordering keys; in hand at once are runs of up to 30 of a key. With a"
            + " key each there are %,d keys, and the first %,d messages are timed."
                .formatted(messages(setting, Keys.EACH), setting.messages() / 2),
        grid.againstFirstCategory(),
        grid.chart(),
        targets,
        Map.of());
  }

  private static int messages(Setting setting, Keys keys) {
    return switch (keys) {
      case ONE -> setting.messages() / 10;
      case NONE, THOUSAND -> setting.messages() / 2;
      case EACH -> Math.max(FEWEST_KEYS, setting.messages() * 2);
    };
  }
}

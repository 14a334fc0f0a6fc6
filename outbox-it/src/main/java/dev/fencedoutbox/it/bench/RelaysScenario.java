package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether relays help each other or stand in each other's way. */
final class RelaysScenario implements Scenario {

  static final String NAME = "relays";

  private static final List<Integer> RELAYS = List.of(1, 2, 4);

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    Backlog backlog = Backlog.of(setting.messages() / 2);
    List<Race> races = new ArrayList<>();
    for (int relays : RELAYS) {
      String category = Integer.toString(relays);
      Contender limit = new Limit(database, BATCH, relays * WORKERS_PER_RELAY);
      Contender relay = new Library(database, Library.inBatchesOf(BATCH), relays);
      races.add(Race.named(Grid.name("limit", category), database, limit, backlog));
      races.add(Race.named(Grid.name("relay", category), database, relay, backlog));
    }
    Grid grid =
        new Grid(
            "relays",
            RELAYS.stream().map(String::valueOf).toList(),
            List.of("limit", "relay"),
            new Results(setting.inTurns().drain(NAME, races)));
    return new Section(
        "Number of relays",
        "Of one channel, in one process, beside three connections by hand for each. Server and relays share the"
            + " machine's processors.",
        grid.againstFirstSeries(),
        grid.chart(),
        List.of(),
        Map.of());
  }
}

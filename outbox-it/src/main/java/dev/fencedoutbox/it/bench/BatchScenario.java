package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the size of a claim costs. */
final class BatchScenario implements Scenario {

  static final String NAME = "batch";

  private static final List<Integer> BATCHES = List.of(1, 10, 100, 1_000);

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    List<Race> races = new ArrayList<>();
    for (int batch : BATCHES) {
      String category = Integer.toString(batch);
      Backlog backlog = Backlog.of(messages(setting, batch));
      Contender limit = new Limit(database, batch, WORKERS_PER_RELAY);
      Contender relay = new Library(database, Library.inBatchesOf(batch), 1);
      races.add(Race.named(Grid.name("limit", category), database, limit, backlog));
      races.add(Race.named(Grid.name("relay", category), database, relay, backlog));
    }
    Grid grid =
        new Grid(
            "messages a claim",
            BATCHES.stream().map(String::valueOf).toList(),
            List.of("limit", "relay"),
            new Results(setting.inTurns().drain(NAME, races)));
    return new Section(
        "Size of a claim",
        "The same backlog drained by claims of another size, by hand and by a relay that claims five times as much ahead.",
        grid.againstFirstSeries(),
        grid.chart(),
        List.of(),
        Map.of());
  }

  /** Fewer where each costs two commits. */
  private static int messages(Setting setting, int batch) {
    return setting.messages() / (batch == 1 ? 50 : batch == 10 ? 10 : 2);
  }
}

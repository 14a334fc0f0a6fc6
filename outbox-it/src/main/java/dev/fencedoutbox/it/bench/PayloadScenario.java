package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the size of messages costs. */
final class PayloadScenario implements Scenario {

  static final String NAME = "payload";

  private static final List<Integer> SIZES = List.of(200, 1_000, 10_000);
  private static final int LARGE = 10_000;

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    List<Race> races = new ArrayList<>();
    for (int bytes : SIZES) {
      int messages = setting.messages() / (bytes < LARGE ? 2 : 10);
      Backlog backlog = new Backlog(messages, bytes, Keys.NONE);
      Contender limit = new Limit(database, BATCH, WORKERS_PER_RELAY);
      Contender relay = new Library(database, Library.inBatchesOf(BATCH), 1);
      races.add(Race.named(Grid.name("limit", category(bytes)), database, limit, backlog));
      races.add(Race.named(Grid.name("relay", category(bytes)), database, relay, backlog));
    }
    Grid grid =
        new Grid(
            "payload",
            SIZES.stream().map(PayloadScenario::category).toList(),
            List.of("limit", "relay"),
            new Results(setting.inTurns().drain(NAME, races)));
    return new Section(
        "Size of a message",
        "JSON that cannot be compressed.",
        grid.againstFirstSeries(),
        grid.chart(),
        List.of(),
        Map.of());
  }

  private static String category(int bytes) {
    return "%,d bytes".formatted(bytes);
  }
}

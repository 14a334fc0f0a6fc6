package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether a large backlog is drained as fast as a small one. */
final class BacklogScenario implements Scenario {

  static final String NAME = "backlog";

  private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);
  private static final int DRAINED = 8_000;

  @Override
  public Section run(Setting setting) throws Exception {
    List<Race> races = new ArrayList<>();
    for (int size : SIZES) {
      BenchDatabase database = setting.another();
      Contender relay = new Library(database, Library.inBatchesOf(BATCH), 1);
      Standing standing = new Standing(database, Backlog.of(size));
      races.add(new Race(Grid.name("relay", category(size)), database, standing, relay, DRAINED));
    }
    Grid grid =
        new Grid(
            "waiting",
            SIZES.stream().map(BacklogScenario::category).toList(),
            List.of("relay"),
            new Results(setting.inTurns().drain(NAME, races)));
    String least = category(SIZES.get(0));
    String most = category(SIZES.get(SIZES.size() - 1));
    return new Section(
        "Size of the backlog",
        "A relay starts before so many, and the time until it has delivered %,d of them is taken."
            .formatted(DRAINED),
        grid.againstFirstCategory(),
        grid.chart(),
        List.of(
            Target.atLeast(
                "backlog of 1,000,000 / of 10,000",
                grid.rate("relay", most) / grid.rate("relay", least),
                0.9)),
        Map.of());
  }

  private static String category(int size) {
    return "%,d".formatted(size);
  }

  /** Makes a backlog anew where a turn would leave less than nine tenths of it. */
  private static final class Standing implements Runnable {

    private final BenchDatabase database;
    private final Backlog backlog;
    private int left;

    Standing(BenchDatabase database, Backlog backlog) {
      this.database = database;
      this.backlog = backlog;
    }

    @Override
    public void run() {
      if (left - DRAINED < backlog.messages() / 10 * 9) {
        database.fillLibrary(backlog);
        left = backlog.messages();
      } else {
        database.vacuumLibrary();
      }
      left -= DRAINED;
    }
  }
}

package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;
import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What it costs that somebody elsewhere holds an old snapshot, so that the rows of all messages
 * delivered since then stay behind dead. A reader holds back its own database alone, so there are
 * two.
 */
final class PinnedScenario implements Scenario {

  static final String NAME = "pinned";

  private static final List<String> CATEGORIES = List.of("unpinned", "pinned");

  private static final int BEFORE = 200_000;

  /**
   * In claims so large that they walk the dead rows a few times only, and are done within a lease.
   */
  private static final int SETTING_UP = 2_000;

  /** So many that a turn is longer than it is from one sweep to the next; each walks the dead. */
  private static final int SWEEPS = 3;

  /** So few that a turn of it ends. */
  private static final int TEXTBOOK = 20;

  @Override
  public Section run(Setting setting) throws Exception {
    int before = Math.max(BEFORE, 4 * setting.messages());
    BenchDatabase unpinned = setting.another();
    BenchDatabase pinned = setting.another();
    List<Race> races = new ArrayList<>();
    try (Connection reader = pinned.olderSnapshot()) {
      for (String category : CATEGORIES) {
        BenchDatabase database = category.equals("pinned") ? pinned : unpinned;
        deliver(database, before, setting);
        races.addAll(races(database, category, setting.messages()));
      }
      Results results = new Results(setting.inTurnsAfterOneWarmUp().drain(NAME, races));
      return section(
          new Grid("snapshot", CATEGORIES, List.of("relay", "textbook"), results), before);
    }
  }

  private static void deliver(BenchDatabase database, int messages, Setting setting)
      throws Exception {
    setting.out().printf("%-9s delivering %,d messages before%n", NAME, messages);
    Backlog backlog = Backlog.of(messages);
    for (Contender before :
        List.of(
            new Limit(database, SETTING_UP, WORKERS_PER_RELAY),
            new Textbook(database, SETTING_UP, WORKERS_PER_RELAY))) {
      before.fill(backlog);
      before.drainNanos(messages);
    }
  }

  private static List<Race> races(BenchDatabase database, String category, int messages) {
    Backlog more = Backlog.of(SWEEPS * messages);
    Backlog few = Backlog.of(messages / TEXTBOOK);
    Library relay = new Library(database, Library.inBatchesOf(BATCH), 1);
    Textbook textbook = new Textbook(database, BATCH, WORKERS_PER_RELAY);
    return List.of(
        new Race(
            Grid.name("relay", category),
            database,
            () -> database.addToLibrary(more),
            relay,
            more.messages()),
        new Race(
            Grid.name("textbook", category),
            database,
            () -> database.addToTextbook(few),
            textbook,
            few.messages()));
  }

  private static Section section(Grid grid, int before) {
    double ratio = grid.rate("relay", "pinned") / grid.rate("relay", "unpinned");
    return new Section(
        "Under an old snapshot",
        "Another session has held a snapshot since before %,d messages were delivered and more came; their dead"
                .formatted(before)
            + " rows stay in tables and indexes. Unpinned, the same was vacuumed away.",
        grid.againstFirstCategory(),
        grid.chart(),
        List.of(Target.atLeast("pinned / unpinned", ratio, 0.9)),
        Map.of("pinned/unpinned", String.format(Locale.ROOT, "%.2f", ratio)));
  }
}

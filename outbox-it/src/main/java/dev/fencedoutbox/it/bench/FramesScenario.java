package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.BATCH;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;

/** Where a relay's threads are while it drains, by Java's own flight recorder. */
final class FramesScenario implements Scenario {

  static final String NAME = "frames";

  private static final Duration SAMPLED_EVERY = Duration.ofMillis(10);

  @Override
  public Section run(Setting setting) throws Exception {
    BenchDatabase database = setting.database();
    Backlog backlog = Backlog.of(setting.messages());
    Library relay = new Library(database, Library.inBatchesOf(BATCH), 1);
    Path file = Files.createTempFile("bench-", ".jfr");
    try (Recording recording = new Recording()) {
      Map<String, List<Drain>> unused =
          setting.inTurns().drain(NAME, List.of(Race.all(database, relay, backlog)));
      recording.enable(Frames.RUNNING).withPeriod(SAMPLED_EVERY);
      recording.enable(Frames.WAITING).withPeriod(SAMPLED_EVERY);
      relay.fill(backlog);
      recording.start();
      relay.drainNanos(backlog.messages());
      recording.stop();
      recording.dump(file);
      return section(Frames.of(file));
    } finally {
      Files.delete(file);
    }
  }

  private static Section section(Frames frames) {
    return new Section(
        "Where a relay's threads are",
        "Samples of a relay that drains once more, in Java or waiting for the server; methods by the share of their"
            + " thread's samples that have them on the stack.",
        new Table(List.of("thread, method", "of its samples"), frames.rows()),
        new Chart("samples", frames.threads(), Map.of("samples", frames.samples())),
        List.of(),
        Map.of());
  }
}

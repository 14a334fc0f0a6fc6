package dev.fencedoutbox.it.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the table in the docs is the table of these statements: when not, the run is due again. */
@Tag(Proofs.LEFT_OUT)
class MutantTableTest {

  private static final Path ROOT = Path.of(Files.exists(Path.of("docs")) ? "" : "..");
  private static final Path TABLE = ROOT.resolve("docs/mutants.md");
  private static final Path APPROVED = ROOT.resolve("outbox-core/src/test/resources/sql");

  /** What is called by no call of the API's, or only when it was refused: the run has them all. */
  private static final Set<String> READ_ONLY_OR_TEST_KIT =
      Stream.of(
              "engine.OwnTransactions.check",
              "job.JobWaits.over",
              "lease.GuardedWrite.refusals",
              "testkit.EnqueuedMessages.in",
              "testkit.LeaseMover.tryTakeOver",
              "testkit.Steps.backend",
              "testkit.Steps.isBlocked")
          .map(method -> "dev.fencedoutbox." + method)
          .collect(Collectors.toUnmodifiableSet());

  /** Those of the statements as they are sent now: none is missing, and none is there too much. */
  @Test
  void table_namesExactlyTheMutantsOfWhatTheLibrarySends() throws Exception {
    Watch watch = new Watch();
    EveryCall.on(new Wire(watch::read));

    Set<Mutant> derived = watch.mutants().keySet();
    assertThat(derived).hasSizeGreaterThan(500);
    assertThat(told())
        .as("run mvn -q -Pmutants verify, and copy its table to %s", TABLE)
        .containsExactlyInAnyOrderElementsOf(derived);
    assertThat(Sends.notIn(watch.senders()))
        .as("methods that no call of EveryCall comes by")
        .isSubsetOf(READ_ONLY_OR_TEST_KIT);
    assertThat(Files.readString(TABLE, UTF_8)).doesNotContain("**survived**", "**gave up**");
  }

  /**
   * The statements as they were approved, whether a test of this module sends them or not; but for
   * those of a host's own table, whose status is a text.
   */
  @Test
  void everyPredicateOfEveryApprovedStatement_hasItsMutantInTheTable() throws IOException {
    Set<String> told = told().stream().map(Mutant::part).collect(Collectors.toSet());
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.list(APPROVED)) {
      for (Path file :
          files.filter(one -> !one.toString().endsWith("-plain.sql")).sorted().toList()) {
        StatementText text = new StatementText(Files.readString(file, UTF_8));
        text.parts().stream()
            .map(Part::name)
            .filter(name -> !told.contains(name))
            .forEach(name -> missing.add(file.getFileName() + ": " + name));
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<Mutant> told() throws IOException {
    return MutantTable.mutants(Files.readAllLines(TABLE, UTF_8));
  }
}

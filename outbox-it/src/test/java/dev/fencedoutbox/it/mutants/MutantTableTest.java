package dev.fencedoutbox.it.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** That the table in the docs has every predicate: the mutants are to be run when one is new. */
class MutantTableTest {

  private static final Path ROOT = Path.of(Files.exists(Path.of("docs")) ? "" : "..");
  private static final Path TABLE = ROOT.resolve("docs/mutants.md");
  private static final Path APPROVED = ROOT.resolve("outbox-core/src/test/resources/sql");

  @Test
  void everyPredicateOfEveryCall_hasItsMutantInTheTable() throws Exception {
    Set<Mutant> told = Set.copyOf(MutantTable.mutants(Files.readAllLines(TABLE, UTF_8)));
    TestDatabase database = TestDatabase.create();
    Watch watch = new Watch();
    try (Connection connection = connect(watch, database)) {
      DSLContext dsl = TestDatabase.on(connection);
      for (ApiCall call : ApiCall.all()) {
        database.clear();
        var prepared = call.preparation().prepare(dsl);
        dsl.transaction(tx -> prepared.accept(tx.dsl()));
      }
    }

    Set<Mutant> missing = new HashSet<>(watch.mutants().keySet());
    assertThat(missing).hasSizeGreaterThan(200);
    missing.removeAll(told);
    assertThat(missing)
        .as("run mvn -q -Pmutants verify, and copy its table to %s", TABLE)
        .isEmpty();
  }

  /** The statements as they were approved, whether a test of this module sends them or not. */
  @Test
  void everyPredicateOfEveryApprovedStatement_hasItsMutantInTheTable() throws Exception {
    Set<String> told =
        MutantTable.mutants(Files.readAllLines(TABLE, UTF_8)).stream()
            .map(Mutant::part)
            .collect(Collectors.toSet());
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.list(APPROVED)) {
      for (Path file : files.sorted().toList()) {
        StatementText text = new StatementText(Files.readString(file, UTF_8));
        text.parts().stream()
            .map(Part::name)
            .filter(name -> !told.contains(name))
            .forEach(name -> missing.add(file.getFileName() + ": " + name));
      }
    }
    assertThat(missing).isEmpty();
  }

  private static Connection connect(Watch watch, TestDatabase database) throws Exception {
    return Objects.requireNonNull(new Wire(watch::read).connect(database.url(), new Properties()));
  }
}

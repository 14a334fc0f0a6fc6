package dev.fencedoutbox.it.mutants;

import dev.fencedoutbox.it.mutants.Suites.Ran;
import dev.fencedoutbox.it.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The run: the suites once as they are, which shows the statements, and which test sends which;
 * then, for each mutant, the tests that send its statement, until one fails. A test that fails must
 * pass again at once without the mutant.
 *
 * <p>It prints the table of mutants and, last, {@code mutants: total=N killed=N survived=0}, and
 * exits with 1 if one survives.
 */
public final class Mutants {

  private static final long MOST_NANOS = 60_000_000_000L;
  private static final long MOST_NANOS_FOR_EQUIVALENTS = 5_000_000_000L;

  private final Watch watch = new Watch();
  private final Suites suites = new Suites(watch::lately);
  private final Map<String, Integer> kills = new HashMap<>();
  private final Set<String> unreliable = new HashSet<>();
  private final String only;

  private Mutants(String only) {
    this.only = only;
  }

  /**
   * What became of a mutant.
   *
   * @param test what killed it, if anything did
   * @param besides what had to be taken out of the statement as well, since it says the same
   */
  record Verdict(Mutant mutant, @Nullable String test, @Nullable Mutant besides) {

    boolean isEquivalent() {
      return test == null && Equivalents.reason(mutant) != null;
    }

    boolean hasSurvived() {
      return test == null && !isEquivalent();
    }
  }

  /**
   * Runs it.
   *
   * @param args {@code --table=FILE}, where to write the table, and perhaps {@code --only=TEXT},
   *     which the names of the mutants to try contain
   */
  public static void main(String[] args) throws IOException, SQLException {
    Mutants run = new Mutants(option(args, "--only=", ""));
    List<Verdict> verdicts = run.run();
    String table = MutantTable.of(verdicts);
    Files.writeString(Path.of(option(args, "--table=", "mutants.md")), table);
    System.out.println(table);
    System.out.println(MutantTable.summary(verdicts));
    boolean complete = Sends.notIn(run.watch.senders()).isEmpty();
    System.exit(complete && verdicts.stream().noneMatch(Verdict::hasSurvived) ? 0 : 1);
  }

  private static String option(String[] args, String name, String otherwise) {
    return Stream.of(args)
        .filter(arg -> arg.startsWith(name))
        .map(arg -> arg.substring(name.length()))
        .findFirst()
        .orElse(otherwise);
  }

  private List<Verdict> run() throws SQLException {
    new Wire(watch::read).install();
    long started = System.nanoTime();
    List<Ran> passed = new ArrayList<>();
    for (Ran ran : suites.runAll()) {
      if (ran.passed()) {
        passed.add(ran);
      } else {
        System.out.printf("! fails without any mutant: %s: %s%n", ran.name(), ran.error());
      }
    }
    Map<Mutant, List<String>> mutants = watch.mutants();
    requireSound(mutants);
    for (Mutant unknown : Equivalents.unknown(mutants.keySet())) {
      System.out.println("! is said to be equivalent and is no mutant: " + unknown);
    }
    for (String unseen : Sends.notIn(watch.senders())) {
      System.out.println("! sends statements, and no test of these suites calls it: " + unseen);
    }
    System.out.printf(
        "%d tests in %d s; %d statements, %d mutants%n",
        passed.size(), seconds(started), watch.statements().size(), mutants.size());
    List<Verdict> verdicts = new ArrayList<>();
    for (Mutant mutant : mutants.keySet()) {
      if (mutant.toString().contains(only)) {
        long begun = System.nanoTime();
        Verdict verdict = verdict(mutant, mutants, passed);
        verdicts.add(verdict);
        System.out.printf(
            "%d s, %d ms: %s: %s%n",
            seconds(started),
            (System.nanoTime() - begun) / 1_000_000,
            mutant,
            MutantTable.fate(verdict));
      }
    }
    return verdicts;
  }

  private Verdict verdict(Mutant mutant, Map<Mutant, List<String>> mutants, List<Ran> passed) {
    Set<String> shapes = Set.copyOf(mutants.get(mutant));
    List<Ran> candidates =
        passed.stream()
            .filter(test -> test.sent().stream().anyMatch(shapes::contains))
            .sorted(likely(mutant))
            .toList();
    boolean hopeless = Equivalents.reason(mutant) != null;
    long most = hopeless ? MOST_NANOS_FOR_EQUIVALENTS : MOST_NANOS;
    String killer = killer(Set.of(mutant), Set.of(), candidates, most);
    if (killer != null || hopeless) {
      return new Verdict(mutant, killer, null);
    }
    for (Mutant other : Equivalents.sayingTheSame(mutant, mutants.keySet())) {
      killer = killer(Set.of(mutant, other), Set.of(other), candidates, most);
      if (killer != null) {
        return new Verdict(mutant, killer, other);
      }
    }
    return new Verdict(mutant, null, null);
  }

  /** What has killed mutants of the statement before, then what was written to, then the fast. */
  private Comparator<Ran> likely(Mutant mutant) {
    return Comparator.<Ran>comparingInt(
            test -> -kills.getOrDefault(mutant.statement() + test.id(), 0))
        .thenComparing(test -> !test.id().contains(".it.guards."))
        .thenComparing(Ran::nanos);
  }

  /** The first test that fails with those in force, and does not with those that are spared. */
  private @Nullable String killer(
      Set<Mutant> inForce, Set<Mutant> spared, List<Ran> candidates, long mostNanos) {
    long begun = System.nanoTime();
    for (Ran test : candidates) {
      if (System.nanoTime() - begun > mostNanos) {
        return null;
      }
      if (!unreliable.contains(test.id())
          && isKilledBy(inForce, test)
          && (spared.isEmpty() || !isKilledBy(spared, test))) {
        inForce.forEach(one -> kills.merge(one.statement() + test.id(), 1, Integer::sum));
        return test.name();
      }
    }
    return null;
  }

  /** It fails under them, passes without, and fails under them again. */
  private boolean isKilledBy(Set<Mutant> inForce, Ran test) {
    if (!failsUnder(inForce, test)) {
      return false;
    }
    boolean failsWithout = fails(test);
    if (failsWithout && fails(test)) { // twice, lest it was a mishap
      System.out.println("! does not pass again, and is left out: " + test.name());
      unreliable.add(test.id());
      return false;
    }
    return failsUnder(inForce, test);
  }

  private boolean failsUnder(Set<Mutant> inForce, Ran test) {
    watch.enforce(inForce);
    try {
      return fails(test);
    } finally {
      watch.enforce(Set.of());
    }
  }

  private boolean fails(Ran test) {
    List<Ran> ran = suites.run(test.id());
    return ran.isEmpty() || !ran.stream().allMatch(Ran::passed);
  }

  /** The server takes each mutant for a statement: none is killed for being none. */
  private void requireSound(Map<Mutant, List<String>> mutants) throws SQLException {
    try (Connection connection = TestDatabase.create().connect()) {
      for (Mutant mutant : mutants.keySet()) {
        for (String shape : mutants.get(mutant)) {
          String sql = Watch.mutated(Objects.requireNonNull(watch.statements().get(shape)), mutant);
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.getParameterMetaData();
          } catch (SQLException e) {
            throw new IllegalStateException(mutant + " is no statement: " + sql, e);
          }
        }
      }
    }
  }

  private static long seconds(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1_000_000_000L;
  }
}

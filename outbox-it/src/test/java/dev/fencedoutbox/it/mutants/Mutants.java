package dev.fencedoutbox.it.mutants;

import dev.fencedoutbox.it.mutants.Suites.End;
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
import java.util.Iterator;
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

  private static final long MOST_NANOS = 90_000_000_000L;
  private static final long MOST_NANOS_FOR_EQUIVALENTS = 3_000_000_000L;

  private final Watch watch = new Watch();
  private final Deadline deadline = new Deadline();
  private final Suites suites = new Suites(watch::lately, deadline);
  private final Map<String, Integer> kills = new HashMap<>();
  private final Set<String> unreliable = new HashSet<>();
  private final List<String> only;

  private Mutants(List<String> only) {
    this.only = only;
  }

  /**
   * What became of a mutant.
   *
   * @param test what killed it, if anything did, or gave up
   * @param besides what had to be taken out of the statement as well, since it says the same
   * @param end how that test ended
   */
  record Verdict(Mutant mutant, @Nullable String test, @Nullable Mutant besides, End end) {

    boolean isEquivalent() {
      return test == null && Equivalents.reason(mutant) != null;
    }

    boolean hasSurvived() {
      return test == null && !isEquivalent();
    }

    /** No test sees it by what it does, and one by the time that it takes. */
    boolean isGivenUp() {
      return end == End.GAVE_UP;
    }
  }

  /** A test that fails under a mutant, or gives up. */
  private record Killer(Ran test, End end) {}

  /**
   * Runs it.
   *
   * @param args {@code --table=FILE}, where to write the table, and perhaps {@code --only=TEXT},
   *     which the names of the mutants to try contain, or several such texts with {@code ;} between
   */
  public static void main(String[] args) throws IOException, SQLException {
    Mutants run = new Mutants(List.of(option(args, "--only=", "").split(";")));
    List<Verdict> verdicts = run.run();
    if (verdicts.isEmpty()) {
      System.err.printf(
          "No mutant's name contains any of %s (-Dmutants.only); none was tried.%n", run.only);
      System.exit(2);
    }
    String table = MutantTable.of(verdicts);
    Files.writeString(Path.of(option(args, "--table=", "mutants.md")), table);
    System.out.println(table);
    System.out.println(MutantTable.summary(verdicts));
    boolean complete = Sends.notIn(run.watch.senders()).isEmpty();
    boolean killed = verdicts.stream().noneMatch(one -> one.hasSurvived() || one.isGivenUp());
    System.exit(complete && killed ? 0 : 1);
  }

  private static String option(String[] args, String name, String otherwise) {
    return Stream.of(args)
        .filter(arg -> arg.startsWith(name))
        .map(arg -> arg.substring(name.length()))
        .findFirst()
        .orElse(otherwise);
  }

  private List<Verdict> run() throws SQLException {
    new Wire(this::read).install();
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
      if (only.stream().anyMatch(mutant.toString()::contains)) {
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

  private String read(String sql) {
    deadline.check();
    return watch.read(sql);
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
    Verdict verdict = tried(mutant, null, candidates, most);
    Iterator<Mutant> others = Equivalents.sayingTheSame(mutant, mutants.keySet()).iterator();
    while (!hopeless && verdict.test() == null && others.hasNext()) {
      verdict = tried(mutant, others.next(), candidates, most);
    }
    return verdict;
  }

  /** The same test has killed the same part, of this or another statement; the fast come first. */
  private Comparator<Ran> likely(Mutant mutant) {
    return Comparator.<Ran>comparingInt(test -> -kills.getOrDefault(mutant.part() + test.id(), 0))
        .thenComparing(test -> !test.id().contains(".it.guards."))
        .thenComparing(test -> -kills.getOrDefault(mutant.statement() + test.id(), 0))
        .thenComparing(Ran::nanos);
  }

  /** With the other one out as well, under which alone the test must pass. */
  private Verdict tried(
      Mutant mutant, @Nullable Mutant other, List<Ran> candidates, long mostNanos) {
    Set<Mutant> spared = other == null ? Set.of() : Set.of(other);
    Set<Mutant> inForce = other == null ? Set.of(mutant) : Set.of(mutant, other);
    Killer killer = killer(inForce, spared, candidates, mostNanos);
    if (killer == null) {
      return new Verdict(mutant, null, null, End.PASSED);
    }
    String id = killer.test().id();
    inForce.forEach(one -> kills.merge(one.statement() + id, 1, Integer::sum));
    inForce.forEach(one -> kills.merge(one.part() + id, 1, Integer::sum));
    return new Verdict(mutant, killer.test().name(), other, killer.end());
  }

  /**
   * The first test that fails with those in force, and does not with those that are spared; or the
   * first that gives up, if none fails.
   */
  private @Nullable Killer killer(
      Set<Mutant> inForce, Set<Mutant> spared, List<Ran> candidates, long mostNanos) {
    long begun = System.nanoTime();
    @Nullable Killer givesUp = null;
    for (Ran test : candidates) {
      if (System.nanoTime() - begun > mostNanos) {
        break;
      }
      if (unreliable.contains(test.id())) {
        continue;
      }
      End end = endUnder(inForce, test);
      if (end == End.PASSED || (end == End.GAVE_UP && givesUp != null)) {
        continue;
      }
      if (isSeenBy(inForce, test, end)
          && (spared.isEmpty() || endUnder(spared, test) == End.PASSED)) {
        if (end == End.FAILED) {
          return new Killer(test, end);
        }
        givesUp = new Killer(test, end);
      }
    }
    return givesUp;
  }

  /** It passes without them, and ends under them as it did before. */
  private boolean isSeenBy(Set<Mutant> inForce, Ran test, End end) {
    boolean failsWithout = suites.run(test) != End.PASSED;
    if (failsWithout && suites.run(test) != End.PASSED) { // twice, lest it was a mishap
      System.out.println("! does not pass again, and is left out: " + test.name());
      unreliable.add(test.id());
      return false;
    }
    return endUnder(inForce, test) == end;
  }

  private End endUnder(Set<Mutant> inForce, Ran test) {
    watch.enforce(inForce);
    try {
      return suites.run(test);
    } finally {
      watch.enforce(Set.of());
    }
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

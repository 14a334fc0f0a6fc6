package dev.fencedoutbox.it.mutants;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.fencedoutbox.it.mutants.Mutants.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of mutants as Markdown. */
final class MutantTable {

  private static final Pattern STATEMENT = Pattern.compile("^### `(.+)`$");
  private static final Pattern ROW = Pattern.compile("^\\| `(.+)` \\| .*");

  private MutantTable() {}

  static String of(List<Verdict> verdicts) {
    StringBuilder out = new StringBuilder();
    Map<String, List<Verdict>> byStatement =
        verdicts.stream()
            .collect(groupingBy(one -> one.mutant().statement(), TreeMap::new, toList()));
    byStatement.forEach(
        (statement, all) -> {
          out.append("### `").append(statement).append("`\n\n| without | killed by |\n|---|---|\n");
          all.forEach(
              verdict ->
                  out.append("| `")
                      .append(verdict.mutant().part().replace("|", "\\|"))
                      .append("` | ")
                      .append(fate(verdict))
                      .append(" |\n"));
          out.append('\n');
        });
    return out.toString();
  }

  /** What became of it. */
  static String fate(Verdict verdict) {
    if (verdict.test() == null) {
      return verdict.hasSurvived()
          ? "**survived**"
          : "equivalent: " + Equivalents.reason(verdict.mutant());
    }
    String killer =
        (verdict.isGivenUp() ? "**gave up**: `" : "`") + verdict.test().replace("|", "\\|") + "`";
    return verdict.besides() == null
        ? killer
        : killer + ", once this is out as well: `" + verdict.besides().part() + "`";
  }

  static String summary(List<Verdict> verdicts) {
    long equivalent = verdicts.stream().filter(Verdict::isEquivalent).count();
    long survived = verdicts.stream().filter(Verdict::hasSurvived).count();
    long givenUp = verdicts.stream().filter(Verdict::isGivenUp).count();
    long total = verdicts.size() - equivalent;
    return "equivalent, and not counted: %d; killed only together with another: %d; given up, and not killed: %d%n"
            .formatted(
                equivalent, verdicts.stream().filter(v -> v.besides() != null).count(), givenUp)
        + "mutants: total=%d killed=%d survived=%d"
            .formatted(total, total - survived - givenUp, survived);
  }

  /** The mutants of a table. */
  static List<Mutant> mutants(List<String> lines) {
    List<Mutant> all = new ArrayList<>();
    String statement = "";
    for (String line : lines) {
      Matcher title = STATEMENT.matcher(line);
      Matcher row = ROW.matcher(line);
      if (title.matches()) {
        statement = title.group(1);
      } else if (row.matches() && !statement.isEmpty()) {
        all.add(new Mutant(statement, row.group(1).split("` \\|", -1)[0].replace("\\|", "|")));
      }
    }
    return all;
  }
}

package dev.fencedoutbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that docs/articles.md names is there. */
class ArticlesTest {

  private static final Path TABLES = Path.of("../docs/articles.md");
  private static final Path TESTS = Path.of("src/test/java");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.(\\w+))?`");

  private static Map<String, Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  file -> file,
                  (one, other) -> one));
    }
  }

  @Test
  void testsOfTheArticles_areThere() throws IOException {
    Map<String, Path> sources = sources();
    List<MatchResult> named = NAMED.matcher(Files.readString(TABLES)).results().toList();
    List<String> missing = new ArrayList<>();
    for (MatchResult name : named) {
      Path source = sources.get(name.group(1));
      boolean there =
          source != null
              && (name.group(2) == null
                  || Files.readString(source).contains("void " + name.group(2) + "("));
      if (!there) {
        missing.add(name.group());
      }
    }
    assertThat(named).hasSizeGreaterThan(30);
    assertThat(missing).isEmpty();
  }
}

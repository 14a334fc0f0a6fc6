package dev.fencedoutbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** README says what the compiled samples say, and stays short. */
class ReadmeTest {
  private static final Path README = Path.of("../README.md");
  private static final Path SAMPLES =
      Path.of("src/test/java/dev/fencedoutbox/it/readme/ReadmeSamplesTest.java");

  @Test
  void javaBlocks_areTheCompiledSamples() throws IOException {
    List<String> blocks = regions(Files.readAllLines(README), "```java", "```");

    assertThat(blocks).isNotEmpty();
    assertThat(blocks).isEqualTo(regions(Files.readAllLines(SAMPLES), "// README", "// end"));
  }

  @Test
  void commands_areTheTwoAndComeFirst() throws IOException {
    assertThat(Files.readAllLines(README).stream().filter(line -> line.startsWith("mvn")).limit(2))
        .containsExactly("mvn -q -Pdemo verify", "mvn verify");
  }

  @Test
  void length_isUnder150Lines() throws IOException {
    assertThat(Files.readAllLines(README)).hasSizeLessThan(150);
  }

  /** The texts between the two lines, without their common indentation. */
  static List<String> regions(List<String> lines, String begin, String end) {
    List<String> regions = new ArrayList<>();
    List<String> open = null;
    for (String line : lines) {
      if (open == null && line.strip().equals(begin)) {
        open = new ArrayList<>();
      } else if (open != null && line.strip().equals(end)) {
        regions.add(String.join("\n", open).stripTrailing().stripIndent());
        open = null;
      } else if (open != null) {
        open.add(line);
      }
    }
    assertThat(open).as("a region that is left open").isNull();
    return regions;
  }
}

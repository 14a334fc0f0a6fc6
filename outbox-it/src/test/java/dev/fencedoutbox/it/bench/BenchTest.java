package dev.fencedoutbox.it.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {

  private static final String NUMBER = "\\d+\\.\\d\\d";

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Of the last line's form, what was measured has a number and the rest has none. */
  @Test
  @Tag(Proofs.LEFT_OUT)
  void run_ofSomeScenarios_endsWithTheLine_andLeavesAPageThatNeedsNoOther() throws IOException {
    Path page = directory.resolve("made").resolve("bench.html");

    int status =
        run(
            "--messages=1000",
            "--warm-ups=1",
            "--rounds=1",
            "--only=drain,enqueue,latency",
            "--page=" + page);

    String printed = out.toString(UTF_8);
    assertThat(status).as(printed + err.toString(UTF_8)).isZero();
    assertThat(printed.lines().reduce((first, last) -> last).orElseThrow())
        .matches(
            "bench: relay/limit=N relay/textbook=N pinned/unpinned=- wal_bytes=\\d+ enqueue/insert=N p50_ms=\\d+\\.\\d p99_ms=\\d+\\.\\d"
                .replace("N", NUMBER));
    assertThat(printed).contains("fsync = on, synchronous_commit = on").contains("relay / limit");
    assertThat(Files.readString(page))
        .startsWith("<!DOCTYPE html>")
        .contains("<td>textbook</td>", "<svg", "commit to handler, p99 ms")
        .doesNotContainPattern("(src|href)=\"(?!#)")
        .endsWith("</html>\n");
  }

  @Test
  void run_unknownScenarioOrTooFewMessages_isRefusedByName() {
    assertThat(run("--only=drain,flood", "--page=" + directory.resolve("none"))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("was given [flood]");
    assertThat(run("--messages=10", "--page=" + directory.resolve("none"))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("1000 or more and is 10");
    assertThat(directory).isEmptyDirectory();
  }

  private int run(String... args) {
    Bench bench = new Bench(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    return new CommandLine(bench)
        .setOut(new PrintWriter(out, true, UTF_8))
        .setErr(new PrintWriter(err, true, UTF_8))
        .execute(args);
  }
}

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

@Tag(Proofs.SHORTENED)
class BenchTest {

  private static final String NUMBER = "\\d+\\.\\d\\d";

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Of the last line's form, what was measured has a number and the rest has none. */
  @Test
  void run_ofSomeScenarios_endsWithTheLine_andLeavesAPageThatNeedsNoOther() throws IOException {
    Path page = directory.resolve("made").resolve("bench.html");

    String some = Proofs.WHOLE ? "drain,enqueue,latency" : "drain";
    int status =
        run("--messages=1000", "--warm-ups=1", "--rounds=1", "--only=" + some, "--page=" + page);

    String printed = out.toString(UTF_8);
    assertThat(status).as(printed + err.toString(UTF_8)).isZero();
    assertThat(printed.lines().reduce((first, last) -> last).orElseThrow())
        .matches(
            "bench: relay/limit=N relay/textbook=N pinned/unpinned=- wal_bytes=\\d+ "
                    .replace("N", NUMBER)
                + (Proofs.WHOLE
                    ? "enqueue/insert=%s p50_ms=\\d+\\.\\d p99_ms=\\d+\\.\\d".formatted(NUMBER)
                    : "enqueue/insert=- p50_ms=- p99_ms=-"));
    assertThat(printed).contains("fsync = on, synchronous_commit = on").contains("relay / limit");
    assertThat(Files.readString(page))
        .startsWith("<!DOCTYPE html>")
        .contains(
            "<td>textbook</td>",
            "<svg",
            Proofs.WHOLE ? "commit to handler, p99 ms" : "relay / limit")
        .doesNotContainPattern("(src|href)=\"(?!#)")
        .endsWith("</html>\n");
  }

  @Test
  void run_unknownScenarioOrTooFewMessages_isRefusedByName() {
    assertThat(run("--only=drain,flood", "--page=" + directory.resolve("none"))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("unknown are [flood]");
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

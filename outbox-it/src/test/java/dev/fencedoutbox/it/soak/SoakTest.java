package dev.fencedoutbox.it.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SoakTest {
  @TempDir Path logs;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The whole soak, for a few seconds; {@code mvn -Psoak verify} runs it for minutes. */
  @Test
  void soak_relaysKilledFrozenAndCutOff_losesNothingAndExplainsEveryDuplicate() {
    int status = run("--seconds=15", "--logs=" + logs);

    String printed = out.toString(UTF_8);
    assertThat(status).as(printed).isZero();
    assertThat(printed.lines().reduce((before, last) -> last))
        .hasValueSatisfying(
            last ->
                assertThat(last)
                    .matches(
                        "soak: enqueued=([1-9]\\d*) delivered=\\1 lost=0 order_violations=0"
                            + " duplicates=\\d+ unexplained_duplicates=0"));
    assertThat(printed).doesNotContain("!");
  }

  @Test
  void soak_withoutALogDirectory_startsNothing() {
    assertThat(run("--seconds=1")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).startsWith("Missing required option: '--logs");
  }

  private int run(String... arguments) {
    PrintStream printed = new PrintStream(out, true, UTF_8);
    CommandLine command = new CommandLine(new Soak(printed, printed));
    return command.setErr(new java.io.PrintWriter(printed, true, UTF_8)).execute(arguments);
  }
}

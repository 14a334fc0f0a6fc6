package dev.fencedoutbox.it.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The soak itself is run by {@code mvn -Psoak verify}. */
class SoakTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void soak_withoutALogDirectory_startsNothing() {
    assertThat(run("--seconds=1")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).startsWith("Missing required option: '--logs");
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, --seconds must be 1 or more and is 0.",
    "--backlog=-5, --backlog must be 0 or more and is -5.",
    "--heap=1, --heap must be 32 or more and is 1."
  })
  void soak_ofNumbersThatRehearseNothing_startsNothing(String option, String message) {
    assertThat(run(option, "--logs=target")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).startsWith(message);
  }

  private int run(String... arguments) {
    PrintStream printed = new PrintStream(out, true, UTF_8);
    CommandLine command = new CommandLine(new Soak(printed, printed));
    return command.setErr(new java.io.PrintWriter(printed, true, UTF_8)).execute(arguments);
  }
}

package dev.fencedoutbox.it.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The soak itself is run by {@code mvn -Psoak verify}. */
class SoakTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

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

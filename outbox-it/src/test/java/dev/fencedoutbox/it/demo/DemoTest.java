package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Proofs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@Tag(Proofs.SHORTENED)
class DemoTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  static List<String> ways() {
    return Proofs.everyNth(2, List.of("http", "kafka"));
  }

  /** Two processes are struck; their rows are delivered by others, and applied once. */
  @ParameterizedTest
  @MethodSource("ways")
  void run_thirtyOrders_appliesEachOnceInSpiteOfTheFaults_andLeavesNoProcess(String to)
      throws IOException {
    List<ProcessHandle> before = children();

    int status = run("--orders=" + thirtyOrders(), "--to=" + to);

    assertAppliedOnce(status);
    assertThat(out.toString(UTF_8)).contains("Billing: " + to + "://127.0.0.1:");
    assertThat(children()).isSubsetOf(before);
  }

  private static List<ProcessHandle> children() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  /** With a row that is none, and one that comes again. */
  private Path thirtyOrders() throws IOException {
    String rows =
        IntStream.rangeClosed(1, 30)
            .mapToObj(i -> "%d,Customer %d,%d.50".formatted(i, i, i))
            .collect(Collectors.joining("\n"));
    return Files.writeString(
        directory.resolve("orders.csv"),
        "id,customer,amount\n" + rows + "\n31,Nobody\n7,Again,1.00\n");
  }

  private void assertAppliedOnce(int status) {
    String printed = out.toString(UTF_8);
    assertThat(status).as(printed + err.toString(UTF_8)).isZero();
    assertThat(printed)
        .contains("line 32 skipped: 2 columns instead of 3")
        .contains("line 33: order 7 is a DUPLICATE, nothing was written")
        .contains("relay-1 killed by SIGKILL (exit status 137) while it held ")
        .contains("relay-2 thawed: ")
        .endsWith("OK: every order was applied exactly once.\n");
    assertThat(figure("orders read")).isEqualTo(32);
    assertThat(figure("skipped, malformed")).isEqualTo(1);
    assertThat(figure("duplicate ids")).isEqualTo(1);
    assertThat(figure("written")).isEqualTo(30);
    assertThat(figure("messages")).isEqualTo(30);
    assertThat(figure("delivered (receipts)")).isEqualTo(30);
    assertThat(figure("reclaimed (epoch above 1)")).isPositive();
    // Whoever notices first: the relay by its own clock, or the database when it writes
    assertThat(figure("stale writes refused") + figure("lost leases dropped unwritten"))
        .isPositive();
    // What the killed one and the frozen one had posted without recording it came again
    assertThat(figure("duplicates seen")).isGreaterThanOrEqualTo(2);
    assertThat(figure("received by billing")).isEqualTo(30 + figure("duplicates seen"));
    assertThat(figure("applied once through the inbox")).isEqualTo(30);
  }

  @Test
  void run_unreadableFile_saysSoAndStartsNothing() {
    Path none = directory.resolve("none.csv");

    assertThat(run("--orders=" + none)).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            "The orders file %s cannot be read: NoSuchFileException: %s. Nothing was started. Name another with -Dorders=FILE.%n"
                .formatted(none, none));
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void run_unknownWay_namesThoseThatThereAreAndStartsNothing() {
    assertThat(run("--orders=none.csv", "--to=pigeon")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            "There is no way to billing named \"pigeon\". Nothing was started. Take one of -Dto=http, -Dto=kafka.%n"
                .formatted());
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void run_noOrUnknownOption_saysWhich() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("Missing required option: '--orders=FILE'");
    err.reset();

    assertThat(run("--orders=x.csv", "--relays=9")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("Unknown option: '--relays=9'");
  }

  private int run(String... arguments) {
    PrintStream errors = new PrintStream(err, true, UTF_8);
    CommandLine command = new CommandLine(new Demo(new PrintStream(out, true, UTF_8), errors));
    return command.setErr(new PrintWriter(err, true, UTF_8)).execute(arguments);
  }

  /** The number on the line of the reconciliation that begins with {@code label}. */
  private int figure(String label) {
    String line =
        out.toString(UTF_8)
            .lines()
            .filter(each -> each.strip().matches(Pattern.quote(label) + " +\\d+"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no figure \"" + label + "\" in\n" + out));
    return Integer.parseInt(line.strip().substring(label.length()).strip());
  }
}

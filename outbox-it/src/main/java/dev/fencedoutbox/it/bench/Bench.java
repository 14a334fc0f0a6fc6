package dev.fencedoutbox.it.bench;

import dev.fencedoutbox.build.PostgresUnavailable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmark's command: {@code mvn -q -Pbench verify -Dbench.messages=50000}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the library beside the same statements by hand and beside the textbook's table,",
      "on one server, in turns. The last line has the figures that matter most.",
      "The server is chosen by -Dpostgres=embedded|testcontainers|jdbc:postgresql://..."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:all was measured, whatever came of it",
      "1:something failed",
      "2:nothing was started: bad options or no server"
    })
public final class Bench implements Callable<Integer> {

  private static final int NOT_STARTED = 2;
  private static final int FEWEST_MESSAGES = 1_000;

  private static final Map<String, Scenario> SCENARIOS = scenarios();

  /** All but those that slow down what they look at. */
  private static final List<String> USUAL =
      SCENARIOS.keySet().stream()
          .filter(
              name -> !name.equals(StatementsScenario.NAME) && !name.equals(FramesScenario.NAME))
          .toList();

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "50000",
      description = "of a usual backlog, 1000 or more; the other sizes follow from it")
  private int messages;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "that count")
  private int rounds;

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      defaultValue = "12",
      description = {
        "at the most, 1 or more, before the rounds that count; they end earlier when Java's compiler",
        "takes less than a tenth of the time of each turn"
      })
  private int mostWarmUps;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = {
        "some of enqueue, latency, batch, payload, relays, drain, backlog, keys, pinned;",
        "or, which slow down what they look at, statements and frames: where a relay's time goes"
      })
  private List<String> only = USUAL;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      required = true,
      description = "where the HTML page goes")
  private Path page = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  private final PrintStream out;
  private final PrintStream err;

  Bench(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  private static Map<String, Scenario> scenarios() {
    Map<String, Scenario> scenarios = new LinkedHashMap<>();
    scenarios.put(EnqueueScenario.NAME, new EnqueueScenario());
    scenarios.put(LatencyScenario.NAME, new LatencyScenario());
    scenarios.put(BatchScenario.NAME, new BatchScenario());
    scenarios.put(PayloadScenario.NAME, new PayloadScenario());
    scenarios.put(RelaysScenario.NAME, new RelaysScenario());
    scenarios.put(DrainScenario.NAME, new DrainScenario()); // by now all of them are warm
    scenarios.put(BacklogScenario.NAME, new BacklogScenario());
    scenarios.put(KeysScenario.NAME, new KeysScenario());
    scenarios.put(PinnedScenario.NAME, new PinnedScenario());
    scenarios.put(StatementsScenario.NAME, new StatementsScenario());
    scenarios.put(FramesScenario.NAME, new FramesScenario());
    return scenarios;
  }

  /** Ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.setProperty("java.awt.headless", "true");
    System.exit(new CommandLine(new Bench(System.out, System.err)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireGood();
    try (BenchServer server = BenchServer.start(only.contains(StatementsScenario.NAME));
        Setting setting = new Setting(server, out, messages, mostWarmUps, rounds)) {
      measure(setting);
      return 0;
    } catch (PostgresUnavailable e) {
      err.println(e.getMessage());
      return NOT_STARTED;
    }
  }

  private void requireGood() {
    Set<String> unknown = new LinkedHashSet<>(only);
    unknown.removeAll(SCENARIOS.keySet());
    require(
        unknown.isEmpty(),
        "--only takes some of %s and was given %s.".formatted(SCENARIOS.keySet(), unknown));
    require(
        messages >= FEWEST_MESSAGES,
        "--messages must be %d or more and is %d.".formatted(FEWEST_MESSAGES, messages));
    require(rounds >= 1, "--rounds must be 1 or more and is %d.".formatted(rounds));
    require(mostWarmUps >= 1, "--warm-ups must be 1 or more and is %d.".formatted(mostWarmUps));
  }

  private void require(boolean good, String message) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private void measure(Setting setting) throws Exception {
    List<String> machine = Machine.describe(setting.database());
    machine.forEach(out::println);
    List<Section> sections = new ArrayList<>();
    for (Map.Entry<String, Scenario> scenario : SCENARIOS.entrySet()) {
      if (only.contains(scenario.getKey())) {
        sections.add(scenario.getValue().run(setting));
      }
    }
    Report report =
        new Report(
            "One server, one JVM; contenders take turns, %d times after turns that warm up. Figures are medians, with the"
                    .formatted(rounds)
                + " lowest and the highest behind them. Tables are filled, vacuumed and analysed before each turn, after a"
                + " checkpoint, so that no turn logs whole pages or meets a vacuum. A usual backlog has %,d messages of %d bytes."
                    .formatted(messages, Backlog.USUAL_BYTES),
            machine,
            sections);
    report.print(out);
    Page.write(page, report);
    out.printf("%nThe page: %s%n", page.toAbsolutePath().normalize());
    out.println(report.line());
  }
}

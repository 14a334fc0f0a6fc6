package dev.fencedoutbox.it.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.build.PostgresServer;
import dev.fencedoutbox.build.PostgresUnavailable;
import dev.fencedoutbox.it.app.ShopDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The soak's command: {@code mvn -q -Psoak verify -Dsoak.seconds=180}. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Four relay processes are killed, frozen and cut off at random while messages are produced;",
      "then everything that happened is judged. Or, with --backlog, one relay drains so many.",
      "The server is chosen by -Dpostgres=embedded|testcontainers|jdbc:postgresql://..."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:nothing was lost, no order violated, every duplicate explained",
      "1:something was",
      "2:nothing was started: bad options or no server"
    })
public final class Soak implements Callable<Integer> {

  private static final int OK = 0;
  private static final int NOT_OK = 1;
  private static final int NOT_STARTED = 2;
  private static final int CONNECTIONS = 12;
  private static final int CHARACTERS = 1_000;
  private static final int LEAST_HEAP = 32;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "how long it produces")
  private int seconds;

  @Option(names = "--seed", paramLabel = "N", description = "of what is random; printed")
  private long seed = new Random().nextInt(1_000_000);

  @Option(
      names = "--backlog",
      paramLabel = "N",
      description =
          "drain N messages of 1,000 characters instead, by a relay with a heap of --heap MB")
  private int backlog;

  @Option(names = "--heap", defaultValue = "256", paramLabel = "MB")
  private int heap;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      required = true,
      description = "a directory for the relays' logs")
  private Path logs = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  private final PrintStream out;
  private final PrintStream err;

  Soak(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Soak(System.out, System.err)).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireAtLeast(1, "--seconds", seconds);
    requireAtLeast(0, "--backlog", backlog);
    requireAtLeast(LEAST_HEAP, "--heap", heap);
    Files.createDirectories(logs);
    try (PostgresServer server = PostgresServer.startConfigured()) {
      return run(server.createDatabase("soak"));
    } catch (PostgresUnavailable e) {
      err.println(e.getMessage());
      return NOT_STARTED;
    }
  }

  private void requireAtLeast(int least, String option, int value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), "%s must be %d or more and is %d.".formatted(option, least, value));
    }
  }

  private int run(String url) throws IOException, InterruptedException {
    try (HikariDataSource pool = Pools.of(url, "soak", CONNECTIONS)) {
      ShopDatabase.migrate(pool);
      DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
      if (backlog > 0) {
        Backlog.Size size = new Backlog.Size(backlog, CHARACTERS);
        return new Backlog(dsl, out, size).drain(url, heap, logs) ? OK : NOT_OK;
      }
      dsl.execute(noteTaking());
      out.printf("Seed %d, %d s, logs in %s%n", seed, seconds, logs.toAbsolutePath().normalize());
      try (SoakRun run = new SoakRun(dsl, out)) {
        History history = run.run(url, seed, Duration.ofSeconds(seconds), logs);
        return verdict(run, history);
      }
    }
  }

  private int verdict(SoakRun run, History history) {
    Verdict verdict = Judge.judge(history);
    SoakRun.Figures figures = run.figures(history);
    List<String> problems = new ArrayList<>(run.problems());
    if (figures.kills() == 0 || figures.freezes() == 0 || verdict.reclaims() == 0) {
      problems.add("nothing was killed, frozen or reclaimed: nothing was rehearsed");
    }
    new Report(out).print(figures, verdict, problems);
    out.println(verdict.line());
    return verdict.isGood() && problems.isEmpty() ? OK : NOT_OK;
  }

  private static String noteTaking() throws IOException {
    try (InputStream sql = Soak.class.getResourceAsStream("soak.sql")) {
      return new String(Objects.requireNonNull(sql).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

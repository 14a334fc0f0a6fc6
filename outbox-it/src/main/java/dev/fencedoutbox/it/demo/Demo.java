package dev.fencedoutbox.it.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.build.PostgresServer;
import dev.fencedoutbox.build.PostgresUnavailable;
import dev.fencedoutbox.it.app.ShopDatabase;
import dev.fencedoutbox.it.process.Progress;
import dev.fencedoutbox.it.process.Stalled;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The demo's command: {@code mvn -q -Pdemo verify}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the orders of a file with their messages, delivers them through relay processes of",
      "which one is killed and one is frozen, and reconciles.",
      "The server is chosen by -Dpostgres=embedded|testcontainers|jdbc:postgresql://..."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:every order was applied exactly once",
      "1:it was not",
      "2:nothing was started: bad options, an unusable orders file, or no server"
    })
public final class Demo implements Callable<Integer> {

  private static final int OK = 0;
  private static final int NOT_OK = 1;
  private static final int NOT_STARTED = 2;

  @Option(
      names = "--orders",
      paramLabel = "FILE",
      required = true,
      description = "CSV with the header id,customer,amount")
  private Path orders = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "WAY",
      defaultValue = "http",
      description =
          "http, or kafka with a broker that is started for it; by default ${DEFAULT-VALUE}")
  private String to = "";

  private final PrintStream out;
  private final PrintStream err;

  Demo(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Ends the JVM with the exit status. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Demo(System.out, System.err)).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    try {
      Way way = Way.named(to);
      OrderFile.Contents contents = OrderFile.read(orders);
      out.println("Orders: " + orders.toAbsolutePath().normalize());
      try (PostgresServer server = PostgresServer.startConfigured()) {
        return run(contents, way, server.createDatabase("demo"));
      }
    } catch (UnusableInput | PostgresUnavailable e) {
      err.println(e.getMessage());
      return NOT_STARTED;
    }
  }

  private int run(OrderFile.Contents contents, Way way, String url) throws IOException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(6);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      ShopDatabase.migrate(pool);
      DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
      Billing billing = new Billing(dsl);
      try (Receiver receiver = way.receiver(billing);
          Rehearsal rehearsal = new Rehearsal(receiver, url, new Deliveries(dsl), out)) {
        out.println("Billing: " + receiver.endpoint());
        return run(contents, dsl, billing, rehearsal);
      }
    }
  }

  private int run(
      OrderFile.Contents contents, DSLContext dsl, Billing billing, Rehearsal rehearsal) {
    Deliveries deliveries = new Deliveries(dsl);
    List<String> problems = new ArrayList<>();
    Intake intake =
        Progress.during(
            out,
            Duration.ofSeconds(1),
            () -> status(deliveries, billing),
            () -> rehearsed(contents, dsl, rehearsal, problems));
    rehearsal.report().forEach(out::println);
    Reconciliation reconciliation =
        new Reconciliation(
            intake,
            Ledger.read(dsl),
            billing.received(),
            billing.duplicates(),
            rehearsal.refused(),
            rehearsal.lost());
    problems.addAll(reconciliation.problems());
    reconciliation.print(out);
    return verdict(problems);
  }

  /** A rehearsal that stalls is reconciled all the same. */
  private Intake rehearsed(
      OrderFile.Contents contents, DSLContext dsl, Rehearsal rehearsal, List<String> problems) {
    Intake intake = Intake.of(contents, new OrderDesk(dsl), out);
    out.printf("%d orders written, each with its message%n", intake.written());
    try {
      rehearsal.run(intake.written());
    } catch (Stalled e) {
      problems.add(e.getMessage());
    }
    return intake;
  }

  private static String status(Deliveries deliveries, Billing billing) {
    return "waiting %4d   leased %3d   delivered %4d   received %4d   duplicates %3d"
        .formatted(
            deliveries.waiting(),
            deliveries.leased(),
            deliveries.delivered(),
            billing.received(),
            billing.duplicates());
  }

  private int verdict(List<String> problems) {
    if (problems.isEmpty()) {
      out.println("OK: every order was applied exactly once.");
      return OK;
    }
    problems.forEach(problem -> out.println("  ! " + problem));
    out.println("NOT OK: see the lines above that begin with an exclamation mark.");
    return NOT_OK;
  }
}

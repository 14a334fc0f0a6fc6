package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.outbox.Delivery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The process of a relay. Its arguments are its name and the endpoint; the database's URL, which
 * holds a password, comes by the environment. It prints {@code ready}, begins at the first line on
 * its standard input, prints its tally after each claim and each record, and ends at the next line
 * or when its parent is gone.
 */
public final class RelayMain {

  /** The environment variable with the database's URL. */
  static final String DATABASE = "DEMO_DATABASE_URL";

  /** What it prints when it is connected. */
  static final String READY = "ready";

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(320);

  private RelayMain() {}

  /** Runs until told to end. */
  public static void main(String[] args) throws IOException, InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Objects.requireNonNull(System.getenv(DATABASE), DATABASE));
    config.setMaximumPoolSize(1);
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
      RelayLoop relay = new RelayLoop(dsl, args[0], URI.create(args[1]));
      System.out.println(READY);
      if (commands.readLine() != null) {
        run(relay, endOf(commands));
      }
    }
  }

  private static CountDownLatch endOf(BufferedReader commands) {
    CountDownLatch end = new CountDownLatch(1);
    Thread listener =
        new Thread(
            () -> {
              try {
                commands.readLine();
              } catch (IOException e) {
                System.err.println("The parent cannot be heard any more: " + e);
              } finally {
                end.countDown();
              }
            },
            "commands");
    listener.setDaemon(true);
    listener.start();
    return end;
  }

  private static void run(RelayLoop relay, CountDownLatch end) throws InterruptedException {
    RelayTally tally = RelayTally.NOTHING;
    Duration pause = Duration.ZERO;
    while (!end.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      List<Claimed<Long, Delivery>> batch = relay.claim();
      if (batch.isEmpty()) {
        pause = longer(pause);
        continue;
      }
      pause = Duration.ZERO;
      tally = told(tally.plus(RelayTally.claimed(batch.size())));
      tally = told(tally.plus(relay.deliver(batch)));
    }
  }

  private static RelayTally told(RelayTally tally) {
    System.out.println(tally.line());
    return tally;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.isZero() ? SHORTEST_PAUSE : pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }
}

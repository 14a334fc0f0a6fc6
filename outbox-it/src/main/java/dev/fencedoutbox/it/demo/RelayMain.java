package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.relay.Relay;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The process of a relay. Its arguments are its name and the endpoint; the database's URL, which
 * holds a password, comes by the environment. It prints {@code ready}, begins at the first line on
 * its standard input, prints its tally when that has changed, and ends at the next line or when its
 * parent is gone.
 */
public final class RelayMain {

  /** The environment variable with the database's URL. */
  static final String DATABASE = "DEMO_DATABASE_URL";

  /** What it prints when it is connected. */
  static final String READY = "ready";

  private static final int CONNECTIONS = 3;
  private static final long TALLY_MILLIS = 50;

  private RelayMain() {}

  /** Runs until told to end. */
  public static void main(String[] args) throws IOException, InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Objects.requireNonNull(System.getenv(DATABASE), DATABASE));
    config.setMaximumPoolSize(CONNECTIONS);
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      System.out.println(READY);
      if (commands.readLine() != null) {
        Relay relay = BillingRelay.of(pool, args[0], URI.create(args[1])).start();
        tellUntil(endOf(commands), relay);
        relay.close(); // before its last tally
        System.out.println(RelayTally.of(relay.counters()).line());
      }
    }
  }

  private static void tellUntil(CountDownLatch end, Relay relay) throws InterruptedException {
    RelayTally told = RelayTally.NOTHING;
    while (!end.await(TALLY_MILLIS, TimeUnit.MILLISECONDS)) {
      RelayTally tally = RelayTally.of(relay.counters());
      if (!tally.equals(told)) {
        System.out.println(tally.line());
        told = tally;
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
}

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
 * The process of a relay. Its arguments are its name, the endpoint, and the event at which its
 * {@link Ambush} springs; the database's URL, which holds a password, comes by the environment. It
 * prints {@code ready}, begins at the first line on its standard input, prints {@code held} when a
 * record is held back and its tally when that has changed, and ends at the line {@code stop} or
 * when its parent is gone.
 */
public final class RelayMain {

  /** The environment variable with the database's URL. */
  static final String DATABASE = "DEMO_DATABASE_URL";

  /** What it prints when it is connected. */
  static final String READY = "ready";

  /** What it prints when the record of what was acknowledged is held back. */
  static final String HELD = "held";

  /** What it hears to let those records go. */
  static final String RELEASE = "release";

  /** What it hears to end. */
  static final String STOP = "stop";

  private static final int CONNECTIONS = 4;
  private static final long TALLY_MILLIS = 50;

  private RelayMain() {}

  /** Runs until told to end. */
  public static void main(String[] args) throws IOException, InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Objects.requireNonNull(System.getenv(DATABASE), DATABASE));
    config.setMaximumPoolSize(CONNECTIONS);
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    Ambush ambush = new Ambush(Integer.parseInt(args[2]), () -> System.out.println(HELD));
    try (HikariDataSource pool = new HikariDataSource(config);
        Sender sender = sender(URI.create(args[1]))) {
      System.out.println(READY);
      if (commands.readLine() != null) {
        Relay relay = BillingRelay.of(pool, args[0], sender).intercept(ambush).start();
        tellUntil(endOf(commands, ambush), relay);
        relay.close(); // before its last tally
        System.out.println(RelayTally.of(relay.counters()).line());
      }
    }
  }

  private static Sender sender(URI endpoint) {
    return Way.named(endpoint.getScheme()).sender(endpoint);
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

  private static CountDownLatch endOf(BufferedReader commands, Ambush ambush) {
    CountDownLatch end = new CountDownLatch(1);
    Thread listener =
        new Thread(
            () -> {
              try {
                hear(commands, ambush);
              } catch (IOException e) {
                System.err.println("The parent cannot be heard any more: " + e);
              } finally {
                ambush.release();
                end.countDown();
              }
            },
            "commands");
    listener.setDaemon(true);
    listener.start();
    return end;
  }

  /** Returns at the end. */
  private static void hear(BufferedReader commands, Ambush ambush) throws IOException {
    String command = commands.readLine();
    while (command != null && !command.equals(STOP)) {
      if (command.equals(RELEASE)) {
        ambush.release();
      }
      command = commands.readLine();
    }
  }
}

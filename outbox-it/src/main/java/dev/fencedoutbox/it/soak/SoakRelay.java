package dev.fencedoutbox.it.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Objects;

/**
 * The process of a relay under soak. Its argument is its name; the database's URL, which holds a
 * password, comes by the environment. It prints {@code ready} and ends at the first line on its
 * standard input or when its parent is gone.
 */
public final class SoakRelay {

  /** The environment variable with the database's URL. */
  static final String DATABASE = "SOAK_DATABASE_URL";

  /** What it prints when it works. */
  static final String READY = "ready";

  /** Short, so that many run out. */
  static final Duration LEASE = Duration.ofSeconds(2);

  private static final int HANDLERS = 6;

  private SoakRelay() {}

  /** Runs until told to end. */
  public static void main(String[] args) throws IOException {
    String name = args[0];
    Duration slow = LEASE.multipliedBy(3).dividedBy(2);
    String url = Objects.requireNonNull(System.getenv(DATABASE), DATABASE);
    try (HikariDataSource pool = Pools.impatient(url, Pools.ofRelay(name), 4);
        HikariDataSource log = Pools.of(url, "soak log " + name, 5)) {
      WarmUp.run(log, name);
      Thread heartbeat = new Thread(new Heartbeat(log, name), "heartbeat");
      heartbeat.setDaemon(true);
      heartbeat.start();
      SoakHandler handler = new SoakHandler(new HandlerLog(log, name), slow);
      try (Relay relay =
          Relay.from(pool)
              .name(name)
              .channel(SoakTopic.CHANNEL)
              .options(options())
              .onDeciding(SoakTopic.TOPIC, (payload, attempt) -> handler.handle(attempt))
              .start()) {
        System.out.println(READY);
        new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
        System.out.println(relay.counters());
      }
    }
  }

  private static RelayOptions options() {
    return RelayOptions.defaults()
        .withLeaseFor(LEASE)
        .withAttemptBudget(1_000_000) // nobody is to blame for being killed
        .withConcurrency(HANDLERS)
        .withPrefetch(5 * HANDLERS)
        .withClaimBatch(3 * HANDLERS)
        .withBackoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(500)))
        .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(400)));
  }
}

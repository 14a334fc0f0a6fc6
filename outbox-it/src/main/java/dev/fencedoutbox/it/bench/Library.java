package dev.fencedoutbox.it.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jooq.Converter;
import org.jooq.JSONB;

/** Relays of the library with a handler that does nothing. */
final class Library implements Contender {

  static final Topic<JSONB> TOPIC =
      Topic.json(
          BenchDatabase.TOPIC, Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));

  /** Two claim, one records, one renews. */
  private static final int CONNECTIONS = 4;

  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final long STALLED_NANOS = Duration.ofMinutes(5).toNanos();

  private final BenchDatabase database;
  private final RelayOptions options;
  private final int relays;

  Library(BenchDatabase database, RelayOptions options, int relays) {
    this.database = database;
    this.options = options;
    this.relays = relays;
  }

  /** Default options but for the size of claims, and five times that ahead, as by default. */
  static RelayOptions inBatchesOf(int claim) {
    return RelayOptions.defaults().withClaimBatch(claim).withPrefetch(5 * claim);
  }

  @Override
  public String name() {
    return "relay";
  }

  @Override
  public void fill(Backlog backlog) {
    database.fillLibrary(backlog);
  }

  @Override
  public long drainNanos(int messages) {
    List<HikariDataSource> pools = new ArrayList<>();
    List<Relay> started = new ArrayList<>();
    try {
      for (int i = 0; i < relays; i++) {
        pools.add(database.pool(CONNECTIONS));
      }
      long begun = System.nanoTime();
      for (HikariDataSource pool : pools) {
        started.add(start(pool));
      }
      while (delivered(started) < messages) {
        LockSupport.parkNanos(LOOK_NANOS);
        if (System.nanoTime() - begun > STALLED_NANOS) {
          throw new IllegalStateException("A relay does not go on: " + started.get(0).counters());
        }
      }
      return System.nanoTime() - begun;
    } finally {
      started.forEach(Relay::close);
      pools.forEach(HikariDataSource::close);
    }
  }

  private Relay start(HikariDataSource pool) {
    return Relay.from(pool)
        .channel(BenchDatabase.CHANNEL)
        .options(options)
        .on(
            TOPIC,
            (payload, attempt) ->
                Sink.take(attempt.eventId(), attempt.delivery().topic(), payload.data()))
        .start();
  }

  private static long delivered(List<Relay> relays) {
    return relays.stream().mapToLong(relay -> relay.counters().delivered()).sum();
  }
}

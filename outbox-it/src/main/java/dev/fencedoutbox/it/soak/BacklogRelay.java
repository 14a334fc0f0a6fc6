package dev.fencedoutbox.it.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.relay.Relay;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The process of a relay with default options that drains a backlog. Its argument is how many
 * messages there are; it prints its counts now and then, and at the end.
 */
public final class BacklogRelay {

  private static final Duration LOOK = Duration.ofMillis(100);

  private BacklogRelay() {}

  /** Runs until so many are recorded. */
  public static void main(String[] args) {
    long all = Long.parseLong(args[0]);
    String url = Objects.requireNonNull(System.getenv(SoakRelay.DATABASE), SoakRelay.DATABASE);
    LongAdder characters = new LongAdder();
    try (HikariDataSource pool = Pools.of(url, "backlog", 4);
        Relay relay =
            Relay.from(pool)
                .channel(SoakTopic.CHANNEL)
                .on(SoakTopic.TOPIC, (payload, attempt) -> characters.add(payload.data().length()))
                .start()) {
      while (relay.counters().delivered() < all) {
        Waiting.pause(LOOK);
        System.out.println(counts(relay, characters).line());
      }
      System.out.println(counts(relay, characters).line());
    }
  }

  private static Drained counts(Relay relay, LongAdder characters) {
    return new Drained(relay.counters().delivered(), characters.sum(), peakHeapBytes());
  }

  /** The most that each part of the heap ever held, what was garbage by then included. */
  private static long peakHeapBytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(peak -> peak.getUsed())
        .sum();
  }
}

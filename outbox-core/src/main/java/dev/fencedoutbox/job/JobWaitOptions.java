package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.Durations;
import java.time.Duration;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;

/**
 * How {@link JobWaits} looks.
 *
 * <p>As immutable and thread-safe as {@code jooq}.
 *
 * @param shortestPause between the first looks after something happened, 10 ms to {@code
 *     longestPause}
 * @param longestPause up to which the pauses grow while nothing happens, at most 10 minutes
 * @param jooq settings and listeners for the looks; its connections are not used
 */
public record JobWaitOptions(Duration shortestPause, Duration longestPause, Configuration jooq) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /**
   * @throws IllegalArgumentException if a pause is out of its bounds
   */
  public JobWaitOptions {
    Durations.requireBetween("longestPause", longestPause, SHORTEST, LONGEST);
    Durations.requireBetween("shortestPause", shortestPause, SHORTEST, longestPause);
  }

  /** Pauses of 100 ms at first, and 5 s at the most. */
  public static JobWaitOptions defaults() {
    return new JobWaitOptions(
        Duration.ofMillis(100),
        Duration.ofSeconds(5),
        new DefaultConfiguration().set(SQLDialect.POSTGRES));
  }

  /** The same with other pauses. */
  public JobWaitOptions withPauses(Duration shortest, Duration longest) {
    return new JobWaitOptions(shortest, longest, jooq);
  }

  /** The same with other settings and listeners. */
  public JobWaitOptions withJooq(Configuration configuration) {
    return new JobWaitOptions(shortestPause, longestPause, configuration);
  }
}

package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Texts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt: the row becomes claimable again after a while.
 *
 * <p>Immutable and thread-safe.
 *
 * @param lease the proof
 * @param after 0 to 365 days, from the database's clock when it is recorded
 * @param error what went wrong, or null; cleaned of what PostgreSQL cannot store and cut at {@value
 *     Texts#MAX_ERROR} characters
 */
public record Retry<K>(Lease<K> lease, Duration after, @Nullable String error) {

  /**
   * @throws IllegalArgumentException if {@code after} is out of its bounds
   */
  public Retry {
    requireDelay(after);
    error = Texts.cleanError(error);
  }

  static void requireDelay(Duration after) {
    Durations.requireBetween("after", after, Duration.ZERO, Duration.ofDays(365));
  }
}

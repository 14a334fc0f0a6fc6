package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Texts;
import org.jspecify.annotations.Nullable;

/**
 * A row to give up: it becomes DEAD and is not claimed again until somebody redrives it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param lease the proof
 * @param reason why, or null; cleaned and cut like the error of a {@link Retry}
 */
public record Burial<K>(Lease<K> lease, @Nullable String reason) {

  /** Cleans the reason. */
  public Burial {
    reason = Texts.cleanError(reason);
  }
}

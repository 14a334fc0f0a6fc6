package dev.fencedoutbox.operate;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was given up.
 *
 * <p>Immutable and thread-safe.
 *
 * @param deliveryId the delivery
 * @param eventId the event of its message
 * @param topic the topic of its message
 * @param orderingKey the ordering key of its message, also if it was skipped out of it
 * @param standing whether it holds up others
 * @param attempts the attempts that were counted
 * @param epoch the number of its latest claim
 * @param reason why it was given up
 * @param enqueuedAt when its message was enqueued, by the database's clock
 */
public record DeadLetter(
    long deliveryId,
    String eventId,
    String topic,
    @Nullable String orderingKey,
    Standing standing,
    int attempts,
    long epoch,
    @Nullable String reason,
    OffsetDateTime enqueuedAt) {

  /** What a DEAD delivery means to others. */
  public enum Standing {
    /** It has no ordering key. */
    ALONE,
    /** It holds up the later deliveries of its ordering key. */
    BLOCKING,
    /** It was skipped out of its ordering key; a redrive puts it at the key's tail. */
    SKIPPED
  }
}

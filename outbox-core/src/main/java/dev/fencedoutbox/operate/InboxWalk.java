package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.Texts;

/**
 * Where a purge starts in the inbox, and how many rows it looks at; it goes round as {@link IdWalk}
 * does.
 *
 * <p>Immutable and thread-safe.
 *
 * @param consumer the consumer of the row after which it starts; empty: at the first
 * @param eventId the event id of that row; empty: at the first
 * @param limit the rows that one statement looks at, and so the most that it removes; 1 to {@value
 *     Limits#MOST_ROWS}
 */
public record InboxWalk(String consumer, String eventId, int limit) {

  /**
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public InboxWalk {
    if (!consumer.isEmpty() || !eventId.isEmpty()) {
      Texts.requireName("A consumer's name", consumer);
      Texts.requireName("An event id", eventId);
    }
    limit = Limits.requireRows("limit", limit);
  }

  /** A walk from the first row. */
  public static InboxWalk of(int limit) {
    return new InboxWalk("", "", limit);
  }

  /** Whether it starts at the first row. */
  public boolean atStart() {
    return consumer.isEmpty();
  }
}

package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.CheckReturnValue;
import org.jspecify.annotations.Nullable;

/**
 * A page of the DEAD deliveries of a channel, in the order of their ids, which is the order in
 * which they were added. The page after it starts behind the last one that was seen, so rows that
 * come and go in between neither shift nor repeat others.
 *
 * <p>Immutable and thread-safe.
 */
@CheckReturnValue
public final class DeadLetterPage {

  private final int limit;
  private final boolean newestFirst;
  private final @Nullable Long after;

  private DeadLetterPage(int limit, boolean newestFirst, @Nullable Long after) {
    this.limit = Limits.requireRows("A page's limit", limit);
    this.newestFirst = newestFirst;
    this.after = after;
  }

  /**
   * The first page, oldest first.
   *
   * @param limit 1 to {@value Limits#MOST_ROWS}
   */
  public static DeadLetterPage oldestFirst(int limit) {
    return new DeadLetterPage(limit, false, null);
  }

  /**
   * The first page, newest first.
   *
   * @param limit 1 to {@value Limits#MOST_ROWS}
   */
  public static DeadLetterPage newestFirst(int limit) {
    return new DeadLetterPage(limit, true, null);
  }

  /** The page that follows after {@code last}. */
  public DeadLetterPage after(DeadLetter last) {
    return new DeadLetterPage(limit, newestFirst, last.deliveryId());
  }

  int limit() {
    return limit;
  }

  boolean isNewestFirst() {
    return newestFirst;
  }

  @Nullable Long after() {
    return after;
  }
}

package dev.fencedoutbox.operate;

/**
 * Where a purge starts in a table whose keys are numbers, and how many rows it looks at. It goes
 * round: each purge returns the walk for the next one, at the start again once it has come to the
 * end.
 *
 * <p>Immutable and thread-safe.
 *
 * @param after the key after which it starts; 0: at the first
 * @param limit the rows that one statement looks at, and so the most that it removes; 1 to {@value
 *     Limits#MOST_ROWS}
 */
public record IdWalk(long after, int limit) {

  /**
   * @throws IllegalArgumentException if a number is out of its bounds
   */
  public IdWalk {
    if (after < 0) {
      throw new IllegalArgumentException(
          "after must be 0 or more and is " + after + ". Nothing was sent.");
    }
    limit = Limits.requireRows("limit", limit);
  }

  /** A walk from the first row. */
  public static IdWalk of(int limit) {
    return new IdWalk(0, limit);
  }

  /** Whether it starts at the first row. */
  public boolean atStart() {
    return after == 0;
  }
}

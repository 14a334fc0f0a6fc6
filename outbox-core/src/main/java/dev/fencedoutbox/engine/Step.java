package dev.fencedoutbox.engine;

/**
 * What a claim brought.
 *
 * @param found how many rows were handed out
 * @param reclaimed of those, the ones whose former lease had run out
 * @param buried how many were buried instead, their attempts used up
 * @param more whether there may be more at once
 */
public record Step(int found, int reclaimed, int buried, boolean more) {

  /** Nothing, and nothing more. */
  public static final Step NOTHING = new Step(0, 0, 0, false);

  /** What both brought. */
  public Step and(Step other) {
    return new Step(
        found + other.found,
        reclaimed + other.reclaimed,
        buried + other.buried,
        more || other.more);
  }

  /** The same, where something was not asked. */
  public Step andMaybeMore() {
    return new Step(found, reclaimed, buried, true);
  }
}

package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Texts;

/**
 * Where an ordered claim starts among the ordering keys, and how far it goes. A claimer goes round:
 * it keeps the walk that each claim returns and gives it to the next one. Two claimers may start
 * anywhere.
 *
 * <p>Immutable and thread-safe.
 *
 * @param after the ordering key after which it starts; empty: at the first
 * @param limit the most rows that one claim takes, plus the ordering keys that it meets and cannot
 *     take; 1 to {@value LeaseStatements#MAX_CLAIM}
 * @param runLength the most rows of one ordering key that one claim takes, 1 to {@code limit}; it
 *     bounds the speed of one hot key, and its share of the claim
 */
public record KeyWalk(String after, int limit, int runLength) {

  /** Rows of one ordering key taken at once unless told otherwise. */
  public static final int DEFAULT_RUN_LENGTH = 30;

  /**
   * @throws IllegalArgumentException if a number is out of its bounds
   */
  public KeyWalk {
    Texts.requireStorable("after", after);
    if (limit < 1 || limit > LeaseStatements.MAX_CLAIM) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d and is %d. Nothing was sent."
              .formatted(LeaseStatements.MAX_CLAIM, limit));
    }
    if (runLength < 1 || runLength > limit) {
      throw new IllegalArgumentException(
          "runLength must be 1 to the limit of %d and is %d. Nothing was sent."
              .formatted(limit, runLength));
    }
  }

  /** A walk from the first ordering key. */
  public static KeyWalk of(int limit) {
    return new KeyWalk("", limit, Math.min(limit, DEFAULT_RUN_LENGTH));
  }

  /** The same with runs of another length. */
  public KeyWalk withRunLength(int length) {
    return new KeyWalk(after, limit, length);
  }

  /** Whether it starts at the first ordering key. */
  public boolean atStart() {
    return after.isEmpty();
  }

  KeyWalk startingAfter(String orderingKey) {
    return new KeyWalk(orderingKey, limit, runLength);
  }
}

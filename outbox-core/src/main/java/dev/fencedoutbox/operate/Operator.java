package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.Texts;

/**
 * Who acts, and why: kept with every row that the action changes.
 *
 * <p>Immutable and thread-safe.
 *
 * @param who a person or a system, 1 to {@value Texts#MAX_NAME} characters
 * @param why a reason, such as a ticket, 1 to {@value #MAX_WHY} characters
 */
public record Operator(String who, String why) {

  /** The longest reason. */
  public static final int MAX_WHY = 2_000;

  /**
   * @throws IllegalArgumentException if a text is empty, too long or not storable
   */
  public Operator {
    Texts.requireName("who", who);
    if (why == null || why.isEmpty() || why.codePointCount(0, why.length()) > MAX_WHY) {
      throw new IllegalArgumentException(
          "why must have 1 to %,d characters and has %,d. Nothing was sent."
              .formatted(MAX_WHY, why == null ? 0 : why.codePointCount(0, why.length())));
    }
    Texts.requireStorable("why", why);
  }
}

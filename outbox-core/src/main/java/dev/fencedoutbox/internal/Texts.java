package dev.fencedoutbox.internal;

import org.jspecify.annotations.Nullable;

/** Checks on text before it is sent: PostgreSQL stores neither U+0000 nor half a surrogate pair. */
public final class Texts {

  /** The longest name or key, in code points; four bytes each still fit an index row. */
  public static final int MAX_NAME = 255;

  /** The longest error text kept, in code points. */
  public static final int MAX_ERROR = 2_000;

  private static final int REPLACEMENT = 0xFFFD;

  private Texts() {}

  /**
   * Returns {@code value} if it can be a name: 1 to {@value #MAX_NAME} characters, all storable.
   *
   * @throws IllegalArgumentException otherwise
   */
  public static String requireName(String what, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(
          what + " must have 1 to " + MAX_NAME + " characters and is empty. Nothing was sent.");
    }
    int length = value.codePointCount(0, value.length());
    if (length > MAX_NAME) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters and has %d: \"%s...\". Nothing was sent."
              .formatted(what, MAX_NAME, length, head(value, 40)));
    }
    return requireStorable(what, value);
  }

  /**
   * Returns {@code value} if PostgreSQL can store it to the letter.
   *
   * @throws IllegalArgumentException if it has U+0000 or an unpaired surrogate
   */
  public static String requireStorable(String what, String value) {
    int at = firstUnstorable(value);
    if (at >= 0) {
      throw new IllegalArgumentException(
          "%s has U+%04X at index %d, which PostgreSQL cannot store as text. Nothing was sent."
              .formatted(what, (int) value.charAt(at), at));
    }
    return value;
  }

  /**
   * An error text as it is kept: what cannot be stored is replaced by U+FFFD, and after {@value
   * #MAX_ERROR} characters it is cut and says so.
   */
  public static String cleanError(@Nullable String error) {
    if (error == null) {
      return "(no error text)";
    }
    int length = error.codePointCount(0, error.length());
    StringBuilder clean = new StringBuilder(Math.min(error.length(), MAX_ERROR + 64));
    error
        .codePoints()
        .limit(MAX_ERROR)
        .map(point -> storable(point) ? point : REPLACEMENT)
        .forEach(clean::appendCodePoint);
    if (length > MAX_ERROR) {
      clean.append("... (cut: ").append(length).append(" characters)");
    }
    return clean.toString();
  }

  private static int firstUnstorable(String value) {
    for (int i = 0; i < value.length(); ) {
      int point = value.codePointAt(i);
      if (!storable(point)) {
        return i;
      }
      i += Character.charCount(point);
    }
    return -1;
  }

  private static boolean storable(int point) {
    return point != 0 && !(point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }

  private static String head(String value, int points) {
    return value.substring(0, value.offsetByCodePoints(0, points));
  }
}

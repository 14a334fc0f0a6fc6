package dev.fencedoutbox.it.mutants;

/**
 * A predicate of a statement, or a clause that guards, and what becomes of it in the mutant.
 *
 * @param place the innermost named part of the statement that it stands in
 * @param text what it says, whatever the rendering
 * @param without how it is taken out
 * @param number tells apart those that are alike otherwise, in the order of the text
 * @param start where it starts in the statement
 * @param end where it ends
 */
record Part(String place, String text, Without without, int number, int start, int end) {

  /** How a place begins that is a column set by a CASE. */
  static final String SET = "set ";

  /** What stands in its place. */
  enum Without {
    /** A condition that all of some must meet: met by every row. */
    TRUE,
    /** A condition that is one of several alternatives: met by no row. */
    FALSE,
    /** A clause that locks rows, passes by locked ones, or passes by a conflict. */
    NOTHING
  }

  /** What it is, apart from where it stands in one rendering. */
  String name() {
    return "%s: %s -> %s%s".formatted(place, text, without, number == 1 ? "" : " (" + number + ")");
  }

  boolean isInside(Part other) {
    return other.start <= start && end <= other.end && other.end - other.start > end - start;
  }

  /** The statement without it. Binds stay, so that their number is the same. */
  String removedFrom(String sql) {
    String said = sql.substring(start, end);
    String instead =
        switch (without) {
          case TRUE -> "(" + said + " or true)";
          case FALSE -> "(" + said + " and false)";
          case NOTHING -> "";
        };
    return sql.substring(0, start) + instead + sql.substring(end);
  }
}

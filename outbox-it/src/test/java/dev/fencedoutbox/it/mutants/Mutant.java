package dev.fencedoutbox.it.mutants;

import java.util.Comparator;

/**
 * A statement without one of its parts.
 *
 * @param statement the method that sends it and the table that it is about
 * @param part the part's {@link Part#name}
 */
record Mutant(String statement, String part) implements Comparable<Mutant> {

  private static final Comparator<Mutant> ORDER =
      Comparator.comparing(Mutant::statement).thenComparing(Mutant::part);

  /** Whether both take the same condition out of one statement, at different places of it. */
  boolean repeats(Mutant other) {
    return statement.equals(other.statement)
        && !part.equals(other.part)
        && !place().startsWith(Part.SET)
        && !other.place().startsWith(Part.SET)
        && said().equals(other.said());
  }

  private String place() {
    return part.substring(0, part.indexOf(": "));
  }

  private String said() {
    return part.substring(part.indexOf(": ")).replaceAll(" \\(\\d+\\)$", "");
  }

  @Override
  public int compareTo(Mutant other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return statement + " | " + part;
  }
}

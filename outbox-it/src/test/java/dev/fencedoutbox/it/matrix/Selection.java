package dev.fencedoutbox.it.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which combinations {@code -Dmatrix.only} asks for: {@code 14+3.19+17,18} are one combination and
 * all of PostgreSQL 18; {@code *+3.21} are all of jOOQ 3.21.
 */
final class Selection {

  private Selection() {}

  /**
   * Those that one of the words means, in their order.
   *
   * @throws IllegalArgumentException if a word means none
   */
  static List<Combination> of(List<Combination> all, String only) {
    if (only.isBlank()) {
      return all;
    }
    List<Combination> meant = new ArrayList<>();
    for (String word : only.split(",", -1)) {
      List<Combination> matching = all.stream().filter(c -> means(word.strip(), c)).toList();
      if (matching.isEmpty()) {
        throw new IllegalArgumentException(
            "-Dmatrix.only: \"%s\" means none of %s."
                .formatted(
                    word.strip(),
                    all.stream().map(Combination::name).collect(Collectors.joining(", "))));
      }
      meant.addAll(matching);
    }
    return all.stream().filter(meant::contains).toList();
  }

  private static boolean means(String word, Combination combination) {
    String[] wanted = word.split("\\+", -1);
    String[] given = combination.name().split("\\+", -1);
    if (wanted.length > given.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (!wanted[i].equals("*") && !wanted[i].equals(given[i])) {
        return false;
      }
    }
    return true;
  }
}

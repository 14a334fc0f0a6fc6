package dev.fencedoutbox.it.matrix;

import java.util.List;

/**
 * What a host may run the library on.
 *
 * @param postgres the version of the embedded binaries, {@code 14.24.0}
 * @param jooq the version of jOOQ, {@code 3.19.39}
 * @param java the major version of Java, {@code 17}
 */
record Combination(String postgres, String jooq, int java) {

  private static final int FIRST_JAVA_OF_NEWER_JOOQ = 21;
  private static final String JOOQ_ON_JAVA_17 = "3.19";

  /** Those of these versions that can be: jOOQ 3.20 and newer run on Java 21 and newer only. */
  static List<Combination> of(List<String> postgres, List<String> jooq, List<Integer> java) {
    return postgres.stream()
        .flatMap(p -> jooq.stream().map(j -> new Combination(p, j, 0)))
        .flatMap(c -> java.stream().map(j -> new Combination(c.postgres, c.jooq, j)))
        .filter(Combination::isPossible)
        .toList();
  }

  private boolean isPossible() {
    return java >= FIRST_JAVA_OF_NEWER_JOOQ || jooqSeries().equals(JOOQ_ON_JAVA_17);
  }

  /**
   * Whether it stands for its PostgreSQL: what jOOQ and Java do not change is tried on it alone.
   */
  boolean isFirstOf(List<Combination> all) {
    return all.stream().filter(c -> c.postgres.equals(postgres)).limit(1).anyMatch(this::equals);
  }

  /** {@code 14}. */
  String postgresMajor() {
    return first(1, postgres);
  }

  /** As the server says it: {@code 14.24}. */
  String postgresVersion() {
    return first(2, postgres);
  }

  /** {@code 3.19}. */
  String jooqSeries() {
    return first(2, jooq);
  }

  /** {@code 14+3.19+17}, as in {@code -Dmatrix.only}. */
  String name() {
    return postgresMajor() + '+' + jooqSeries() + '+' + java;
  }

  private static String first(int parts, String version) {
    List<String> all = List.of(version.split("\\.", -1));
    return String.join(".", all.subList(0, Math.min(parts, all.size())));
  }
}

package dev.fencedoutbox.it.support;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is tried by proofs that try much: a brief form or nothing in the usual build, and the
 * whole by {@code mvn -Pproofs clean verify}, which runs nothing else.
 */
public final class Proofs {

  /** Has a brief form. */
  public static final String SHORTENED = "shortened";

  /** Has none, and is left out of the usual build. */
  public static final String LEFT_OUT = "left-out";

  /** Whether all is tried. */
  public static final boolean WHOLE = "whole".equals(System.getProperty("proofs"));

  private Proofs() {}

  /** Every {@code n}th of them in the usual build, the first to begin with, or all. */
  public static <T> List<T> everyNth(int n, List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> WHOLE || i % n == 0)
        .mapToObj(all::get)
        .toList();
  }

  /** So much in the usual build, or so much of the whole. */
  public static int effort(int brief, int whole) {
    return WHOLE ? whole : brief;
  }
}

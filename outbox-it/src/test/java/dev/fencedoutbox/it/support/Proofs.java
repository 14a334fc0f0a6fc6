package dev.fencedoutbox.it.support;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is tried by proofs that try much: a brief form in the usual build, in which what is
 * broken is seen as well, and the whole by {@code mvn -Pproofs verify}, which runs nothing else.
 * Such tests are tagged {@value #TAG}.
 */
public final class Proofs {

  /** Tells the whole's tests from all others. */
  public static final String TAG = "proof";

  /** Whether all is tried. */
  public static final boolean WHOLE = "whole".equals(System.getProperty("proofs"));

  private Proofs() {}

  /** Each second in the usual build, or all of them. */
  public static <T> List<T> some(List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> WHOLE || i % 2 == 0)
        .mapToObj(all::get)
        .toList();
  }

  /** So much in the usual build, or so much of the whole. */
  public static int effort(int brief, int whole) {
    return WHOLE ? whole : brief;
  }
}

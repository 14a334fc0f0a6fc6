package dev.fencedoutbox.it.support;

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

  /** So much in the usual build, or so much of the whole. */
  public static int effort(int brief, int whole) {
    return WHOLE ? whole : brief;
  }
}

package dev.fencedoutbox.it.demo;

/** Something that the rehearsal waits for did not happen in time. */
final class Stalled extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Stalled(String what) {
    super("%s within %d s".formatted(what, Waiting.PATIENCE.toSeconds()));
  }
}

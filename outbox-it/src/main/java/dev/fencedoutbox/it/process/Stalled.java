package dev.fencedoutbox.it.process;

/** Something that was waited for did not happen in time. */
public final class Stalled extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Stalled(String what) {
    super("%s within %d s".formatted(what, Waiting.PATIENCE.toSeconds()));
  }
}

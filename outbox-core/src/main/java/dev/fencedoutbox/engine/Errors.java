package dev.fencedoutbox.engine;

/** What a handler threw, as text to keep. */
public final class Errors {

  private Errors() {}

  /** Not cleaned and not cut, which is done once, when it is recorded. */
  public static String text(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName() + ", whose text failed: " + e.getClass().getName();
    }
  }
}

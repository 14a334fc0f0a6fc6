package dev.fencedoutbox.relay;

/** What a handler threw, as text to keep. */
final class Errors {

  private Errors() {}

  /** Not cleaned and not cut, which is done once, when it is recorded. */
  static String text(Throwable thrown) {
    try {
      return String.valueOf(thrown);
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName() + ", whose text failed: " + e.getClass().getName();
    }
  }
}

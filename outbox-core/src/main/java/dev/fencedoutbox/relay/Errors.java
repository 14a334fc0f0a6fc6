package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Texts;

/** What a handler threw, as text to keep. */
final class Errors {

  private Errors() {}

  static String text(Throwable thrown) {
    return Texts.cleanError(String.valueOf(thrown));
  }
}

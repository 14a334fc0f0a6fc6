package dev.fencedoutbox.testkit;

import org.jspecify.annotations.Nullable;

/** What an effect said of itself. */
record Answer(boolean applied, @Nullable Exception thrown) {

  @Override
  public String toString() {
    return thrown == null ? "returned " + applied : "threw " + thrown;
  }
}

package dev.fencedoutbox.build;

/** Where a server comes from. */
interface Origin {
  String adminUrl();

  /** Whether the server goes on after {@link #stop()}, so that databases must be dropped. */
  boolean outlivesUs();

  void stop();
}

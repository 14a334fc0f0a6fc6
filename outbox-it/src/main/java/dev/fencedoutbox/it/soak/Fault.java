package dev.fencedoutbox.it.soak;

/** What was done to a process, from when to when by the database's clock in microseconds. */
record Fault(String process, Kind kind, long from, long to) {

  /** The more it explains, the earlier it stands. */
  enum Kind {
    KILL("its process was killed"),
    FREEZE("its process was frozen"),
    TERMINATION("a connection of its process was terminated"),
    STALL("its process or the database stood still, the machine being busy"),
    STOP("its process was told to end");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}

package dev.fencedoutbox.it.bench;

/**
 * One contender's turn.
 *
 * @param fill makes the backlog, not timed
 * @param drained how much of it is drained
 */
record Race(String name, BenchDatabase database, Runnable fill, Contender contender, int drained) {

  /** All of a backlog that is made anew each time, by a contender under its own name. */
  static Race all(BenchDatabase database, Contender contender, Backlog backlog) {
    return named(contender.name(), database, contender, backlog);
  }

  /** The same under another name. */
  static Race named(String name, BenchDatabase database, Contender contender, Backlog backlog) {
    Runnable fill = () -> contender.fill(backlog);
    return new Race(name, database, fill, contender, backlog.messages());
  }

  Drain run() throws Exception {
    fill.run();
    return new Meter(database).drain(contender, drained);
  }
}

package dev.fencedoutbox.it.model;

import java.util.function.UnaryOperator;

/** A lease that was handed out: one claim of one row. */
record Ref(Id id, long epoch) {

  Ref renamed(UnaryOperator<String> events) {
    return new Ref(id.renamed(events), epoch);
  }

  @Override
  public String toString() {
    return id + "@" + epoch;
  }
}

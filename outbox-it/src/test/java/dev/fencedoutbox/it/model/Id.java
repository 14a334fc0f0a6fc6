package dev.fencedoutbox.it.model;

import java.util.Collection;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A row by a name that the model and the database have in common: the n-th one of its event. */
record Id(String event, int n) {

  Id renamed(UnaryOperator<String> events) {
    return new Id(events.apply(event), n);
  }

  static Set<Id> renamed(Collection<Id> ids, UnaryOperator<String> events) {
    return ids.stream().map(id -> id.renamed(events)).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public String toString() {
    return event + "." + n;
  }
}

package dev.fencedoutbox.it.model;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/**
 * Several steps in one transaction, such as a worker who ends its run as it should: what is done is
 * completed in order, what failed is retried or buried, and the rest is released.
 */
record InOne(List<Action> actions) implements Action {

  @Override
  public Answer inModel(World world, Time now) {
    return Answer.joined(actions.stream().map(action -> action.inModel(world, now)).toList());
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    return Answer.joined(actions.stream().map(action -> action.inDatabase(product, dsl)).toList());
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new InOne(actions.stream().map(action -> action.renamed(events)).toList());
  }

  @Override
  public boolean passesByLockedRows() {
    return actions.stream().anyMatch(Action::passesByLockedRows);
  }

  @Override
  public String toString() {
    return "in one transaction: "
        + String.join(", then ", actions.stream().map(Action::toString).toList());
  }
}

package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Tables.Logged;
import dev.fencedoutbox.it.model.Tables.Receipt;
import dev.fencedoutbox.operate.ReplayOutcome;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/** An operator has a message delivered once more: a new row, at the tail of its ordering key. */
record Replay(String event) implements Action {

  @Override
  public Answer inModel(World world, Time now) {
    ReplayOutcome outcome = outcome(world);
    if (outcome == ReplayOutcome.REPLAYED) {
      Receipt receipt = world.latestReceipt(event);
      Row row = world.add(event, world.keyOf(event), now);
      if (receipt != null) {
        world.log.add(
            new Logged(
                OperatorVerb.REPLAY,
                receipt.delivery(),
                receipt.epoch(),
                receipt.attempts(),
                row.id()));
      }
    }
    return Answer.ofWord(outcome);
  }

  private ReplayOutcome outcome(World world) {
    if (!world.messages.containsKey(event)) {
      return ReplayOutcome.UNKNOWN;
    }
    if (world.isPending(event)) {
      return ReplayOutcome.UNDELIVERED;
    }
    return world.latestReceipt(event) == null ? ReplayOutcome.NOT_SENT : ReplayOutcome.REPLAYED;
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    return Answer.ofWord(
        dev.fencedoutbox.operate.Replay.on(Product.CHANNEL).replay(dsl, event, Operate.BY));
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Replay(events.apply(event));
  }

  @Override
  public String toString() {
    return "an operator: REPLAY " + event;
  }
}

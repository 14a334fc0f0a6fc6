package dev.fencedoutbox.it.model;

import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/**
 * One step of somebody: a call of the product in a transaction of its own, or what only time does.
 * What the model makes of it stands beside the call that it foretells.
 */
interface Action {

  /** What it answers, and what it makes of the world, somewhen within {@code now}. */
  Answer inModel(World world, Time now);

  /** Does it. */
  Answer inDatabase(Product product, DSLContext dsl);

  /** The same on rows of other events. */
  Action renamed(UnaryOperator<String> events);

  /** Whether it would change or lock a row. */
  default boolean isEffectiveIn(World world, Time now) {
    World after = world.copy();
    Answer answer = inModel(after, now);
    return !after.isStoredAs(world) || answer.written().stream().anyMatch(Answer.Written::accepted);
  }

  /** Whether it must not wait for a lock that somebody has. */
  default boolean neverWaits() {
    return false;
  }

  /** Whether it may pass by a row that somebody has locked, as if it were not there. */
  default boolean passesByLockedRows() {
    return false;
  }
}

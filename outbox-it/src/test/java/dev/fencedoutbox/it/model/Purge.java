package dev.fencedoutbox.it.model;

import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Finished messages go, with their receipts.
 *
 * @param event this one, or null: any
 * @param age how old they must be; whatever is made here is younger than a minute
 */
record Purge(@Nullable String event, Duration age) implements Action {

  private static final int ALL = 1_000;

  @Override
  public Answer inModel(World world, Time now) {
    List<String> finished =
        age.isZero()
            ? world.messages.keySet().stream()
                .filter(one -> event == null || event.equals(one))
                .filter(one -> !world.isPending(one) && !world.locked.contains(one))
                .toList()
            : List.of();
    finished.forEach(world.messages::remove);
    world.receipts.removeIf(receipt -> finished.contains(receipt.delivery().event()));
    return Answer.ofWord(finished.size() + " purged");
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    IdWalk walk = event == null ? IdWalk.of(ALL) : new IdWalk(product.message(event) - 1, 1);
    return Answer.ofWord(Retention.olderThan(age).purgeMessages(dsl, walk).rows() + " purged");
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Purge(events.apply(Objects.requireNonNull(event)), age);
  }

  @Override
  public boolean neverWaits() {
    return true;
  }

  @Override
  public boolean passesByLockedRows() {
    return true;
  }

  @Override
  public String toString() {
    return "a purge of " + (event == null ? "all" : event) + " older than " + age;
  }
}

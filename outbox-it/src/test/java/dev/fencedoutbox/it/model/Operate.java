package dev.fencedoutbox.it.model;

import static dev.fencedoutbox.it.shop.Tables.JOB;

import dev.fencedoutbox.it.model.Tables.Logged;
import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * An operator redrives, discards or skips DEAD rows. A host redrives its own jobs by hand.
 *
 * @param id one of them, or null: all
 */
record Operate(OperatorVerb verb, @Nullable Id id) implements Action {

  static final Operator BY = new Operator("operator", "because");

  @Override
  public Answer inModel(World world, Time now) {
    List<Row> dead =
        world.rows(
            row ->
                row.state() == Row.State.DEAD
                    && (id == null
                        ? !world.locked.contains(row.id().event())
                        : id.equals(row.id())));
    List<Row> changed = new ArrayList<>();
    switch (verb) {
      case REDRIVE -> {
        changed.addAll(dead.stream().filter(row -> !wasSkipped(world, row)).toList());
        changed.forEach(row -> redrive(world, row, now));
        List<Row> skipped = dead.stream().filter(row -> wasSkipped(world, row)).toList();
        skipped.forEach(row -> redriveAtTail(world, row, now));
        changed.addAll(skipped);
      }
      case DISCARD -> {
        changed.addAll(dead);
        changed.forEach(row -> world.rows.remove(row.id()));
        changed.forEach(row -> log(world, row, null));
      }
      case SKIP -> {
        changed.addAll(dead.stream().filter(row -> row.key() != null).toList());
        changed.forEach(row -> world.put(row.skipped()));
        changed.forEach(row -> log(world, row, null));
      }
      case REPLAY -> throw new IllegalArgumentException("see Replay");
    }
    return Answer.ofTouched(changed.stream().map(Row::id).toList());
  }

  private static boolean wasSkipped(World world, Row row) {
    return row.key() == null
        && world.kind == Kind.DELIVERIES
        && world.keyOf(row.id().event()) != null;
  }

  private void redrive(World world, Row row, Time now) {
    world.put(row.redriven(now));
    log(world, row, null);
  }

  private void redriveAtTail(World world, Row row, Time now) {
    world.rows.remove(row.id());
    String event = row.id().event();
    log(world, row, world.add(event, world.keyOf(event), now).id());
  }

  private void log(World world, Row row, @Nullable Id made) {
    if (world.kind == Kind.DELIVERIES) {
      world.log.add(new Logged(verb, row.id(), row.epoch(), row.attempts(), made));
    }
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    Stream<Long> changed =
        product.kind == Kind.JOBS
            ? redriveJobs(product, dsl).stream()
            : operate(product, dsl).stream().map(Changed::deliveryId);
    return Answer.ofTouched(changed.map(product::name).toList());
  }

  private List<Changed> operate(Product product, DSLContext dsl) {
    DeadLetters dead = DeadLetters.on(Product.CHANNEL);
    Selection selection = id == null ? Selection.all() : Selection.delivery(product.number(id));
    return switch (verb) {
      case REDRIVE -> dead.redrive(dsl, selection, BY);
      case DISCARD -> dead.discard(dsl, selection, BY);
      case SKIP -> dead.skip(dsl, selection, BY);
      case REPLAY -> throw new IllegalArgumentException("see Replay");
    };
  }

  /** As the host's own code would: the epoch stays. */
  private List<Long> redriveJobs(Product product, DSLContext dsl) {
    return dsl
        .update(JOB)
        .set(JOB.STATE, JobState.READY)
        .set(JOB.ATTEMPTS, 0)
        .set(JOB.RUN_AFTER, DSL.field("clock_timestamp()", JOB.RUN_AFTER.getDataType()))
        .where(JOB.STATE.eq(JobState.DEAD))
        .and(id == null ? DSL.noCondition() : JOB.ID.eq(product.number(id)))
        .returningResult(JOB.ID)
        .fetch(JOB.ID)
        .stream()
        .sorted()
        .toList();
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Operate(verb, Objects.requireNonNull(id).renamed(events));
  }

  @Override
  public boolean passesByLockedRows() {
    return id == null;
  }

  @Override
  public String toString() {
    return "an operator: " + verb + " " + (id == null ? "all" : id);
  }
}

package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.LeaseOutcome;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.TableField;
import org.jspecify.annotations.Nullable;

/** Nothing is claimed, handled or written. */
record NoTrade(TableField<?, Long> key) implements Trade<Work> {

  @Override
  public Tried<Step> claim(int limit, Intake<Work> into) {
    return new Tried.Done<>(Step.NOTHING, true);
  }

  @Override
  public @Nullable WorkHandler<Work> handlerOf(Work work) {
    return null;
  }

  @Override
  public String subjectOf(Work work) {
    return "nothing";
  }

  @Override
  public int budgetOf(Work work) {
    return 1;
  }

  @Override
  public List<LeaseOutcome> write(DSLContext tx, List<Answer> same) {
    throw new AssertionError("Nothing is to be written, and these were: " + same);
  }

  @Override
  public void recorded() {}

  @Override
  public boolean deadBlocks() {
    return true;
  }

  @Override
  public boolean handlersMaySettle() {
    return false;
  }
}

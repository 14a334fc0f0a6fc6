package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.LeaseOutcome;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.TableField;
import org.jspecify.annotations.Nullable;

/**
 * What an engine works on: where it comes from, who handles it, and what is written of it.
 *
 * @param <W> what is worked on
 */
public interface Trade<W extends Work> {

  /** Takes what a transaction of a claim brought, when it is committed. */
  @FunctionalInterface
  interface Intake<W extends Work> {
    /** Its rows are in {@code runs}. */
    void take(Step step, List<Run<W>> runs);
  }

  /** The key of the leased table. */
  TableField<?, Long> key();

  /**
   * Claims up to {@code limit}, 1 or more, in transactions of its own, and gives what each of them
   * brought to {@code into} before the next. Called by one thread.
   */
  Tried<Step> claim(int limit, Intake<W> into);

  /**
   * Whether the last {@link #claim} left behind so much that one beside it is of use. Any thread
   * may ask.
   */
  default boolean leavesMuch() {
    return false;
  }

  /** Claims beside {@link #claim}, where that left much behind. Called by another thread. */
  default Tried<Step> claimBeside(int limit, Intake<W> into) {
    return new Tried.Done<>(Step.NOTHING, true);
  }

  /** What handles it; null if nothing here does. */
  @Nullable WorkHandler<W> handlerOf(W work);

  /** What {@link #handlerOf} goes by, for people. */
  String subjectOf(W work);

  /** The attempts that it may have. */
  int budgetOf(W work);

  /** Writes answers of one kind, guarded by their leases; outcomes in their order. */
  List<LeaseOutcome> write(DSLContext tx, List<Answer> same);

  /** Answers were written, and are committed. */
  void recorded();

  /** Whether what was buried holds up what comes after it in its run. */
  boolean deadBlocks();

  /**
   * Whether handlers may end a claim without {@link Work#settling}, so that a settled row is no
   * reason to stop.
   */
  boolean handlersMaySettle();
}

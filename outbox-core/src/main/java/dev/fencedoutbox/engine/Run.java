package dev.fencedoutbox.engine;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is worked through one after the other: the rows of one ordering key that one claim brought,
 * in their order, or a single row.
 *
 * @param <W> what is worked on
 */
public final class Run<W extends Work> {

  private final List<W> works;
  private final boolean ordered;
  private final AtomicInteger left;
  private final AtomicLong abortedAt = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong brokenAt = new AtomicLong(Long.MAX_VALUE);

  private Run(List<W> works, boolean ordered) {
    this.ordered = ordered;
    this.works = List.copyOf(works);
    this.left = new AtomicInteger(works.size());
    this.works.forEach(work -> work.joins(this));
  }

  /** A single one. */
  public static <W extends Work> Run<W> single(W work) {
    return new Run<>(List.of(work), false);
  }

  /** Those of one ordering key, in their order. */
  public static <W extends Work> Run<W> ordered(List<W> works) {
    return new Run<>(works, true);
  }

  List<W> works() {
    return works;
  }

  boolean isOrdered() {
    return ordered;
  }

  /** Whether it is of an ordering key, and its last one is not with the recorder yet. */
  boolean isUnderWay() {
    return ordered && !works.get(works.size() - 1).isHandedOver();
  }

  /**
   * Called once for each that leaves this engine's hands: whether all of an ordering key have, each
   * of them done. What failed or was handed back waits for the next look, lest a handler that
   * always gives back is called without a pause.
   */
  boolean freesItsKey() {
    return left.decrementAndGet() == 0 && ordered && abortedAt.get() == Long.MAX_VALUE;
  }

  /** One of its deliveries failed or was not begun: those after it must not be delivered now. */
  void abortAt(Work work) {
    abortedAt.accumulateAndGet(work.lease().key(), Math::min);
    works.forEach(
        later -> {
          if (later.comesAfter(work)) {
            later.abort();
          }
        });
  }

  /** Whether an earlier one was aborted. */
  boolean isAbortedBefore(Work work) {
    return ordered && abortedAt.get() < work.lease().key();
  }

  /** A record was refused or given up: aborts, and the later ones must not be recorded as done. */
  void breakAt(Work work) {
    brokenAt.accumulateAndGet(work.lease().key(), Math::min);
    abortAt(work);
  }

  /** Whether the record of an earlier one was refused or given up. */
  boolean isBrokenBefore(Work work) {
    return ordered && brokenAt.get() < work.lease().key();
  }
}

package dev.fencedoutbox.relay;

import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.outbox.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Deliveries that are worked through one after the other: those of one ordering key that one claim
 * brought, in their order, or a single one without an ordering key.
 */
final class Run {

  private final List<Work> works;
  private final boolean ordered;
  private final AtomicLong abortedAt = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong brokenAt = new AtomicLong(Long.MAX_VALUE);

  private Run(List<Claimed<Long, Delivery>> claimed, boolean ordered, LongSupplier nanoClock) {
    this.ordered = ordered;
    this.works = claimed.stream().map(one -> new Work(one, this, nanoClock)).toList();
  }

  static List<Run> unordered(List<Claimed<Long, Delivery>> claimed, LongSupplier nanoClock) {
    return claimed.stream().map(one -> new Run(List.of(one), false, nanoClock)).toList();
  }

  /** Rows of one key stand together. */
  static List<Run> ordered(List<Claimed<Long, Delivery>> claimed, LongSupplier nanoClock) {
    List<Run> runs = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= claimed.size(); to++) {
      if (to == claimed.size() || !sameKey(claimed.get(from), claimed.get(to))) {
        runs.add(new Run(claimed.subList(from, to), true, nanoClock));
        from = to;
      }
    }
    return runs;
  }

  private static boolean sameKey(Claimed<Long, Delivery> one, Claimed<Long, Delivery> other) {
    return Objects.equals(one.row().orderingKey(), other.row().orderingKey());
  }

  List<Work> works() {
    return works;
  }

  boolean isOrdered() {
    return ordered;
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

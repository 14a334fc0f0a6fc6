package dev.fencedoutbox.relay;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.outbox.Delivery;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Where in the order of due times the next claim starts, so that it need not walk the rows that
 * earlier claims left behind dead; while an old snapshot is held somewhere, those stay in the
 * index. Correctness never depends on it: every so often a claim sweeps from the beginning, and
 * finds late commits, expired leases and whatever was made due in the past.
 *
 * <p>After a full claim the next one goes on exactly where it ended. With nothing left behind, one
 * looks back a little, for transactions that were committed after later ones. For one thread.
 */
final class ScanFloor {

  /** A place in the order of claims. */
  record Position(OffsetDateTime dueAt, long id) {

    static final Comparator<Position> ORDER =
        Comparator.comparing(Position::dueAt).thenComparing(Position::id);

    static Position of(Claimed<Long, Delivery> claimed) {
      return new Position(claimed.row().dueAt(), claimed.lease().key());
    }
  }

  /** How far a claim looks back for commits that came late, between two sweeps. */
  static final Duration LOOK_BACK = Duration.ofSeconds(1);

  private final long sweepNanos;
  private @Nullable Position reached;
  private boolean behind;
  private boolean sweeping;
  private long askedNanos;
  private long sweptNanos;

  ScanFloor(Duration sweepEvery) {
    this.sweepNanos = sweepEvery.toNanos();
  }

  /** What the next claim looks at. */
  Condition next(long nowNanos) {
    sweeping = reached == null || nowNanos - sweptNanos >= sweepNanos;
    askedNanos = nowNanos;
    return condition(sweeping ? null : reached, behind);
  }

  private static Condition condition(@Nullable Position from, boolean behind) {
    if (from == null) {
      return noCondition();
    }
    return behind
        ? row(DELIVERY.NEXT_ATTEMPT_AT, DELIVERY.ID)
            .ge(
                row(
                    val(from.dueAt(), DELIVERY.NEXT_ATTEMPT_AT),
                    val((Long) from.id(), DELIVERY.ID)))
        : DELIVERY.NEXT_ATTEMPT_AT.ge(val(from.dueAt().minus(LOOK_BACK), DELIVERY.NEXT_ATTEMPT_AT));
  }

  /**
   * What it brought.
   *
   * @param full there may be more behind it; a sweep that is full goes on from where it ended
   */
  void claimed(List<Claimed<Long, Delivery>> claimed, boolean full) {
    behind = full;
    if (sweeping) {
      sweptNanos = askedNanos; // not before: the claim may have failed, or had no room for these
    }
    @Nullable Position last = claimed.stream().map(Position::of).max(Position.ORDER).orElse(null);
    if (last != null
        && (reached == null || (sweeping && full) || Position.ORDER.compare(last, reached) > 0)) {
      reached = last;
    }
  }
}

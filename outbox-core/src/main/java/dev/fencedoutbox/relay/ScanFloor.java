package dev.fencedoutbox.relay;

import static dev.fencedoutbox.lease.RepeatedClaim.placeholder;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.RepeatedClaim.Range;
import dev.fencedoutbox.outbox.Delivery;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import org.jooq.Field;
import org.jooq.Param;
import org.jspecify.annotations.Nullable;

/**
 * Where in the order of due times the next claim starts, so that it need not walk the rows that
 * earlier claims left behind dead; while an old snapshot is held somewhere, those stay in the
 * index. Correctness never depends on it: every so often a claim sweeps from the beginning, and
 * finds late commits, expired leases and whatever was made due in the past.
 *
 * <p>After a full claim the next one goes on exactly where it ended. With nothing left behind, one
 * looks back a little, for transactions that were committed after later ones. For one thread, but
 * for {@link #onwards}.
 */
final class ScanFloor {

  /** What a claim looks at: one of a few ranges, and where it begins. */
  record From(Range range, List<Param<?>> values) {}

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

  private static final String DUE_AT = "floor_due_at";
  private static final String ID = "floor_id";
  private static final Field<OffsetDateTime> FLOOR =
      placeholder(DUE_AT, DELIVERY.NEXT_ATTEMPT_AT.getDataType());
  private static final From EVERYTHING = new From(new Range(noCondition(), List.of()), List.of());
  private static final Range LOOKING_BACK =
      new Range(DELIVERY.NEXT_ATTEMPT_AT.ge(FLOOR), List.of(DUE_AT));
  private static final Range ONWARDS =
      new Range(
          row(DELIVERY.NEXT_ATTEMPT_AT, DELIVERY.ID)
              .ge(row(FLOOR, placeholder(ID, DELIVERY.ID.getDataType()))),
          List.of(DUE_AT, ID));

  private final long sweepNanos;
  private @Nullable Position reached;
  private volatile @Nullable From onwards;
  private boolean sweeping;
  private long askedNanos;
  private long sweptNanos;

  ScanFloor(Duration sweepEvery) {
    this.sweepNanos = sweepEvery.toNanos();
  }

  /** What the next claim looks at. */
  From next(long nowNanos) {
    @Nullable Position last = reached;
    sweeping = last == null || nowNanos - sweptNanos >= sweepNanos;
    askedNanos = nowNanos;
    if (last == null || sweeping) {
      return EVERYTHING;
    }
    @Nullable From rest = onwards;
    return rest == null ? lookingBack(last) : rest;
  }

  private static From from(Position place) {
    return new From(
        ONWARDS,
        List.of(val(place.dueAt(), DELIVERY.NEXT_ATTEMPT_AT), val((Long) place.id(), DELIVERY.ID)));
  }

  private static From lookingBack(Position place) {
    return new From(
        LOOKING_BACK, List.of(val(place.dueAt().minus(LOOK_BACK), DELIVERY.NEXT_ATTEMPT_AT)));
  }

  /**
   * What it brought.
   *
   * @param full there may be more behind it; a sweep that is full goes on from where it ended
   */
  void claimed(List<Claimed<Long, Delivery>> claimed, boolean full) {
    if (sweeping) {
      sweptNanos = askedNanos; // not before: the claim may have failed, or had no room for these
    }
    @Nullable Position last = claimed.stream().map(Position::of).max(Position.ORDER).orElse(null);
    if (last != null
        && (reached == null || (sweeping && full) || Position.ORDER.compare(last, reached) > 0)) {
      reached = last;
    }
    @Nullable Position to = reached;
    onwards = !full ? null : to == null ? EVERYTHING : from(to);
  }

  /** What comes after the last claim, if that was full; null if not. Any thread may ask. */
  @Nullable From onwards() {
    return onwards;
  }
}

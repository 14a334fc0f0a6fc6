package dev.fencedoutbox.operate;

import java.time.Duration;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Where a channel stands at one moment, by the database's clock.
 *
 * <p>Immutable and thread-safe.
 *
 * @param at the moment
 * @param oldestEligibleAge for how long the delivery has been claimable that has been so for the
 *     longest; null if none is. Alert on this one
 * @param eligible deliveries that are due and that nobody holds: READY ones, and those whose lease
 *     is over. One that stands behind another of its ordering key is counted as well
 * @param waiting READY deliveries that are not due yet: delayed or backing off
 * @param inFlight deliveries under a lease that is not over
 * @param expiredLeases deliveries whose lease is over and that nobody has claimed since; among the
 *     eligible ones
 * @param dead DEAD deliveries
 * @param oldestDeadAge how long ago the message of the oldest DEAD delivery was enqueued; null if
 *     there is none
 * @param capped whether some count stopped at the limit of {@link Signals#countingUpTo}: then the
 *     numbers are the least there may be, and the ages those among what was counted
 */
public record Snapshot(
    OffsetDateTime at,
    @Nullable Duration oldestEligibleAge,
    long eligible,
    long waiting,
    long inFlight,
    long expiredLeases,
    long dead,
    @Nullable Duration oldestDeadAge,
    boolean capped) {}

package dev.fencedoutbox.micrometer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a channel stands in the database, at one moment.
 *
 * <p>Immutable and thread-safe.
 *
 * @param oldestEligible how long the longest claimable delivery has been claimable; null if none is
 * @param eligible deliveries that a claim could take now
 * @param waiting deliveries that are not due yet
 * @param inFlight deliveries under a lease that holds
 * @param expired deliveries whose lease has run out and that nobody has claimed again
 * @param dead DEAD deliveries
 */
public record ChannelSignals(
    @Nullable Duration oldestEligible,
    long eligible,
    long waiting,
    long inFlight,
    long expired,
    long dead) {}

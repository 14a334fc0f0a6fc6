package dev.fencedoutbox.operate;

import org.jspecify.annotations.Nullable;

/**
 * A delivery that an action changed.
 *
 * <p>Immutable and thread-safe.
 *
 * @param deliveryId the delivery it was done to
 * @param eventId its event
 * @param topic its topic
 * @param newDeliveryId the delivery that came of it; null if there is none, or if it is the same
 */
public record Changed(
    long deliveryId, String eventId, String topic, @Nullable Long newDeliveryId) {}

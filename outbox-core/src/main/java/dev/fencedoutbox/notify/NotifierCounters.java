package dev.fencedoutbox.notify;

/**
 * What a {@link Notifier} has done.
 *
 * <p>Immutable and thread-safe.
 *
 * @param asked channels it was told of, each time
 * @param sent notifications that were sent
 * @param failed notifications that could not be sent and were dropped
 */
public record NotifierCounters(long asked, long sent, long failed) {}

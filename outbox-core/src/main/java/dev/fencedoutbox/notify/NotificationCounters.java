package dev.fencedoutbox.notify;

/**
 * What {@link Notifications} have seen.
 *
 * <p>Immutable and thread-safe.
 *
 * @param connected how often they began to listen
 * @param failures how often that failed, or a connection was lost
 * @param received notifications that came in
 */
public record NotificationCounters(long connected, long failures, long received) {}

package dev.fencedoutbox.relay;

/**
 * What a relay has done since it was started, and what it holds. The counts of one record were not
 * read at the same instant.
 *
 * <p>Immutable and thread-safe.
 *
 * @param claimed deliveries handed out by claims, those claimed again included
 * @param reclaimed of those, the ones whose former lease had run out
 * @param delivered recorded as delivered
 * @param retried recorded for a later attempt
 * @param released handed back unharmed: not begun in time, of an unknown topic, or at the close
 * @param buried recorded as DEAD, by claims and by handlers
 * @param refused writes that came too late and changed nothing
 * @param lost leases that ran out or were superseded while their delivery was in hand
 * @param failedTransactions transactions of the relay's own that failed and were repeated or given
 *     up
 * @param waiting deliveries in hand whose handler was not called yet
 * @param running handlers at work
 * @param recording answers not yet written
 */
public record RelayCounters(
    long claimed,
    long reclaimed,
    long delivered,
    long retried,
    long released,
    long buried,
    long refused,
    long lost,
    long failedTransactions,
    int waiting,
    int running,
    int recording) {}

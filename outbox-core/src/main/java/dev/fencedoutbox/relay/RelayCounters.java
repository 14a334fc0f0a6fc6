package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Counts;

/**
 * What a relay has done since it was started, and what it holds. The counts of one record were not
 * read at the same instant.
 *
 * <p>Each claimed delivery ends in one of {@code delivered}, {@code retried}, {@code released},
 * {@code buried}, {@code refused}, {@code lost} and {@code abandoned}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param claimed deliveries handed out by claims, those claimed again included
 * @param reclaimed of those, the ones whose former lease had run out
 * @param delivered recorded as delivered, or settled by their handlers themselves
 * @param retried recorded for a later attempt
 * @param released handed back unharmed: not begun in time, of an unknown topic, or at the close
 * @param buried recorded as DEAD, by claims and by handlers
 * @param refused writes that came too late and changed nothing
 * @param lost leases that ran out or were superseded while their delivery was in hand; nothing of
 *     it was written
 * @param abandoned deliveries that were delivered, perhaps, and will be again: answers that could
 *     not be written and were left to their leases, and what was delivered after one of its key
 *     that was not recorded
 * @param failedTransactions transactions of the relay's own that failed and were repeated or given
 *     up
 * @param waiting deliveries in hand whose handler was not called yet
 * @param running handlers at work, those included that have not returned though their lease is lost
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
    long abandoned,
    long failedTransactions,
    int waiting,
    int running,
    int recording) {

  static RelayCounters of(Counts counts) {
    return new RelayCounters(
        counts.claimed(),
        counts.reclaimed(),
        counts.done() + counts.settled(),
        counts.retried(),
        counts.released(),
        counts.buried(),
        counts.refused(),
        counts.lost(),
        counts.abandoned(),
        counts.failedTransactions(),
        counts.waiting(),
        counts.running(),
        counts.recording());
  }
}

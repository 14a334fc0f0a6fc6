package dev.fencedoutbox.job;

import dev.fencedoutbox.engine.Counts;

/**
 * What a runner has done since it was started, and what it holds. The counts of one record were not
 * read at the same instant.
 *
 * <p>Immutable and thread-safe.
 *
 * @param claimed jobs handed out by claims, those claimed again included
 * @param reclaimed of those, the ones whose former lease had run out
 * @param finished recorded as done
 * @param settled left as they are, since their handlers said that there is nothing to write
 * @param retried recorded for a later attempt
 * @param released handed back unharmed, as at the close
 * @param buried recorded as DEAD, by claims and by handlers
 * @param refused writes that came too late and changed nothing
 * @param lost leases that ran out, were superseded, or whose job was cancelled, while it ran
 * @param abandoned answers that could not be written and were left to their leases
 * @param failedTransactions transactions of the runner's own that failed and were repeated or given
 *     up
 * @param running handlers at work
 */
public record JobRunnerCounters(
    long claimed,
    long reclaimed,
    long finished,
    long settled,
    long retried,
    long released,
    long buried,
    long refused,
    long lost,
    long abandoned,
    long failedTransactions,
    int running) {

  static JobRunnerCounters of(Counts counts) {
    return new JobRunnerCounters(
        counts.claimed(),
        counts.reclaimed(),
        counts.done(),
        counts.settled(),
        counts.retried(),
        counts.released(),
        counts.buried(),
        counts.refused(),
        counts.lost(),
        counts.abandoned(),
        counts.failedTransactions(),
        counts.running());
  }
}

/**
 * What relays and runners have in common, whatever they work on; not for applications.
 *
 * <h2>The way of a piece of work</h2>
 *
 * <p>{@code Trade.claim} and, in a backlog, {@code Trade.claimBeside} (in transactions of their
 * own, committed) -&gt; {@code Dispatcher} (a queue, a bounded number of workers) -&gt; {@code
 * Deliverer} (the handler; no connection is held) -&gt; {@code Recorder} (one transaction for what
 * has been answered by then). {@code Renewer} extends the leases of what is in hand, and {@code
 * Watch} stops what cannot be trusted any more.
 *
 * <h2>Who is right when</h2>
 *
 * <ul>
 *   <li><b>The database</b> decides who holds a lease, each time something is written.
 *   <li><b>The local clock</b> decides when to stop believing: {@code trustLeft = leaseFor - (now -
 *       sent)}. With a tenth of the lease left and no renewal, the handler is interrupted and what
 *       it returns is dropped.
 *   <li><b>A renewal that fails</b> is repeated while trust lasts; one that is refused as
 *       superseded or expired ends the work here at once.
 *   <li><b>A record that fails</b> is repeated while trust lasts. It is guarded, so repeating one
 *       whose answer was lost does no harm.
 *   <li><b>A claim that somebody ended</b> (settled, gone) is a handler's own end, or else a
 *       cancellation, which stops it; {@code Trade} says which.
 * </ul>
 *
 * <h2>What is in the way of a batch</h2>
 *
 * <ul>
 *   <li><b>Rows that others have locked</b> are passed over after one wait ({@code LockedRows}),
 *       and tried again without waiting.
 *   <li><b>Rows that fail</b> are found by halves ({@code Narrowing}) and tried alone from then on.
 *       An answer whose record fails alone is renewed no more: with its lease it comes to an end.
 *   <li><b>What was delivered after one of its key</b> waits for the record of that ({@code
 *       Unsettled}); after one that was refused or given up it goes back ({@code Run}).
 *   <li><b>A handler that has not returned</b> though its lease is over takes one worker: another
 *       attempt at the same row fails before it begins.
 * </ul>
 *
 * <h2>Connections</h2>
 *
 * <p>At the most four at a time, each for one short transaction: a claim, another beside it while
 * there is a backlog ({@code Trade.claimBeside}), a record, a renewal. None is held while a handler
 * runs, nor while the engine waits.
 */
@NullMarked
package dev.fencedoutbox.engine;

import org.jspecify.annotations.NullMarked;

/**
 * Leases on rows of any table, and writes that are fenced by them.
 *
 * <h2>The protocol</h2>
 *
 * <p>The database is the only authority. A row waits, is leased, is finished, or is DEAD. A claim
 * takes a row that waits and is due, or whose lease is over, and gives it the next epoch and a
 * deadline, in one statement. Every write under the lease repeats the key and the epoch, and
 * demands that the row is still in progress and its deadline not over, in the WHERE of the row that
 * is written:
 *
 * <ul>
 *   <li><b>A worker that was killed</b> does nothing any more. Its deadline passes and the row is
 *       claimed again. The attempt was counted when it was claimed.
 *   <li><b>A worker that was frozen</b> and thaws after its deadline is refused: {@code EXPIRED}
 *       while nobody has claimed the row since, {@code SUPERSEDED} afterwards.
 *   <li><b>A worker that comes late within its transaction</b> holds the row's lock from its
 *       guarded write to its commit, so nobody can claim the row in between.
 *   <li><b>A worker that lost the answer</b> to its write and asks again gets {@code SETTLED} or
 *       {@code GONE}.
 * </ul>
 *
 * <p>What an old owner <i>can</i> still do is anything outside this database: a request that was
 * sent cannot be fenced. Downstream needs the event id.
 *
 * <p>Trust, for the worker: {@code trustLeft = leaseFor - (now - sent)}, on one local monotonic
 * clock, where {@code sent} was read before the claim or renewal was sent.
 *
 * <h2>The grammar of the verbs</h2>
 *
 * <p>{@code claim*} may return nothing; {@code renew}, {@code complete}, {@code retry}, {@code
 * release}, {@code bury}, {@code checkpoint}, {@code hold}, {@code finish} and {@code apply} return
 * an outcome; {@code run*} does work; {@code require*} throws.
 *
 * <p>A reader finds the predicates and what each verb sets in {@code LeaseSql}, the statements in
 * {@code LeaseStatements}, the fenced effect in {@code FencedEffect}.
 */
@NullMarked
package dev.fencedoutbox.lease;

import org.jspecify.annotations.NullMarked;

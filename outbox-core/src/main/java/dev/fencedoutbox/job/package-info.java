/**
 * Long work with a result, leased and fenced like deliveries.
 *
 * <p>A {@code JobKind} makes a {@code NewJob}; {@code Jobs} submits it in the caller's transaction,
 * once for each key. {@link dev.fencedoutbox.lease.Leases} claims, renews, retries, releases and
 * buries it, as any leased row. {@code Jobs} writes its checkpoints and finishes it, each under the
 * lease; {@code JobWaits} tells its submitter; {@code DeadJobs} is for operators.
 *
 * <p>The rules that the statements keep:
 *
 * <ul>
 *   <li>Who works on a job writes by its lease. By key or id, a job is only cancelled, redriven and
 *       read.
 *   <li>A job is DONE with its result, the host's effect, or neither: one statement. What is to be
 *       delivered because of it is enqueued after that statement has accepted the lease, in the
 *       same transaction.
 *   <li>To cancel a job changes no epoch: the holder finds its claim {@code SETTLED}, at its next
 *       renewal or write.
 *   <li>A redrive leaves the epoch as it is, so the next claim's is higher than any before.
 * </ul>
 *
 * <p>The statements are in {@code JobSql}, those under a lease in {@link
 * dev.fencedoutbox.lease.LeaseStatements} and {@link dev.fencedoutbox.lease.ResultColumn}.
 *
 * <p>Source: article 002.
 */
@NullMarked
package dev.fencedoutbox.job;

import org.jspecify.annotations.NullMarked;

/**
 * The labs of the three articles, on real PostgreSQL: which test proves which sentence.
 *
 * <p><b>Article 000, recovery.</b> {@code RecoveryContract} holds its six tests. {@code
 * DeliveryRecoveryTest} and {@code JobRecoveryTest} pass them with the fenced statements; {@code
 * UnsafeBaselineTest} shows that the article's unsafe statements fail four and pass two.
 *
 * <ul>
 *   <li><i>an expired lease makes work claimable again</i>: {@code
 *       claimOfAKilledProcess_isRecovered_onceItsLeaseIsOver}
 *   <li><i>an uncommitted claim rolls back</i>: {@code
 *       openClaim_isSkippedByAnother_andComesBackOnRollback}
 *   <li><i>reject the old worker's outcome</i>: {@code lateSuccess_underANewerEpoch_isRefused},
 *       {@code lateFailure_underANewerEpoch_isRefused}
 *   <li><i>a retry cannot move a SENT row back</i>: {@code retry_ofWhatIsDone_isRefused}
 *   <li><i>an expired owner cannot finalize even before another worker reclaims</i>: {@code
 *       expiredOwner_isRefused_beforeAnybodyReclaims}
 * </ul>
 *
 * <p><b>Article 001, two pods.</b>
 *
 * <ul>
 *   <li><i>a double-enqueue is a no-op</i>, and <i>if it returns a row, you created it</i>: {@code
 *       DoubleEnqueueTest}
 *   <li><i>only one relay can own it</i>: {@code TwoPodsTest}, by threads and by processes
 *   <li><i>your late markSent matches zero rows</i>: {@code
 *       TwoPodsTest.complete_ofASupersededLease_matchesNothing_andTheNewOwnersStateStays}
 *   <li><i>increment attempts in the claim</i>, and <i>loud</i>: {@code CrashLoopTest}
 *   <li><i>Exactly once</i>, as far as that goes: {@code SlackPostTest}, one post per key from two
 *       pods; where a pod dies between the post and its record, one more, known and counted
 *   <li><i>a key space fully separate from every single-arg lock</i>: {@code KeyLockTest}
 * </ul>
 *
 * <p><b>Article 002, the late worker.</b>
 *
 * <ul>
 *   <li><i>the final stored value must be from B</i>: {@code LateWorkerTest}, in each order of
 *       arrival, and for every write while it waits for B's lock
 *   <li><i>an expired claim cannot renew, an old epoch cannot, B can, a completed job cannot</i>:
 *       {@code RenewalTest}
 *   <li><i>the acceptance check and the local effect in one statement</i>: {@code FencedEffectTest}
 *   <li><i>zero as a result it must not save</i>: {@code ZeroRowsTest}
 *   <li><i>checkpoints need the same protection</i>: {@code CheckpointTest}
 *   <li><i>deleting and recreating a job can make an old token look current</i>: {@code
 *       IdentityTest}
 * </ul>
 *
 * <p>All three speak of a worker that is paused and goes on: {@code FrozenWorkerTest} stops a real
 * process past its leases, lets it run on, and has it try every write.
 */
@NullMarked
package dev.fencedoutbox.it.labs;

import org.jspecify.annotations.NullMarked;

/**
 * For the tests of applications, never for an application itself: see what was enqueued, force a
 * worker to be late without waiting for it, and prove that an effect is fenced.
 *
 * <ul>
 *   <li>{@code EnqueuedMessages}: what a business method enqueued, in its transaction or after it.
 *   <li>{@code LeaseMover}: ends a lease, ends a wait, and lets another owner take a row over.
 *   <li>{@code FencedEffectCheck}: runs an application's own effect in each situation in which a
 *       late worker must change nothing.
 *   <li>{@code ManualClock}: the local clock of a {@link dev.fencedoutbox.relay.SteppedRelay},
 *       whose steps a test takes by hand.
 * </ul>
 *
 * <p>It needs no test framework: what it demands and does not find is an {@link AssertionError}.
 */
@NullMarked
package dev.fencedoutbox.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * Four relay processes, killed, frozen and cut off at random while messages are produced; then
 * everything that happened is judged.
 *
 * <p>{@code Soak} is the command. {@code Producers} enqueue and remember what was committed and in
 * which order, {@code RelaySlot} keeps a process of {@code SoakRelay} alive and strikes it. What
 * happened is read back as a {@code History}: what the producers remember, what each handler wrote
 * down, and what a trigger noted about every lease. {@code Judge} holds the three against each
 * other; it knows nothing of the relay.
 */
@NullMarked
package dev.fencedoutbox.it.soak;

import org.jspecify.annotations.NullMarked;

package dev.fencedoutbox.lease;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done: the lease it was done under, and what came of it.
 *
 * <p>As immutable as {@code result}.
 *
 * @param lease the proof
 * @param result null if there is none
 */
public record Finished<K, V>(Lease<K> lease, @Nullable V result) {}

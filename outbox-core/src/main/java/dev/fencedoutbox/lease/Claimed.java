package dev.fencedoutbox.lease;

/**
 * A row that was claimed: the lease on it, and what the table hands out with it.
 *
 * <p>As immutable as {@code row}.
 *
 * @param lease the proof that every write about this row takes
 * @param row what was claimed
 */
public record Claimed<K, V>(Lease<K> lease, V row) {}

package dev.fencedoutbox.lease;

/**
 * A row that was claimed: the lease on it, and what the table hands out with it.
 *
 * <p>As immutable as {@code row}.
 *
 * @param lease the proof that every write about this row takes
 * @param row what was claimed
 * @param reclaimed whether somebody held it before and did not end the claim in time: what it did
 *     outside this database may be done twice
 */
public record Claimed<K, V>(Lease<K> lease, V row, boolean reclaimed) {}

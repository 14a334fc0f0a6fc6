package dev.fencedoutbox.lease;

/**
 * A row that a claim met with its attempt budget used up: it is DEAD now and was not handed out.
 *
 * <p>Immutable and thread-safe.
 *
 * @param key the row
 * @param attempts the attempts that were counted
 * @param reason what the row's error column says, or the same text where the table has none
 */
public record Buried<K>(K key, int attempts, String reason) {}

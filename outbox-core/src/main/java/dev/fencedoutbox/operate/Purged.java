package dev.fencedoutbox.operate;

/**
 * What a purge removed, and where to go on.
 *
 * <p>Immutable and thread-safe.
 *
 * @param rows how many were removed; messages without their receipts
 * @param next for the next purge; at the start again once the end was met
 */
public record Purged<W>(int rows, W next) {}

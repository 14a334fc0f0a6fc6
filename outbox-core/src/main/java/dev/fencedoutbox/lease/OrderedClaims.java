package dev.fencedoutbox.lease;

/**
 * What an ordered claim brought, and where to go on.
 *
 * <p>Immutable and thread-safe.
 *
 * @param claims rows of one ordering key stand together, in their order
 * @param next for the next claim; at the start again once the last ordering key was met
 */
public record OrderedClaims<K, V>(Claims<K, V> claims, KeyWalk next) {}

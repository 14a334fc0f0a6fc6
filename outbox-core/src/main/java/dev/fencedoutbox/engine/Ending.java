package dev.fencedoutbox.engine;

/**
 * How an engine ended.
 *
 * @param released handed back unharmed
 * @param abandoned left to their leases
 */
public record Ending(int released, int abandoned) {}

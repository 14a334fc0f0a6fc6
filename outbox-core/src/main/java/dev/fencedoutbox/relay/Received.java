package dev.fencedoutbox.relay;

/**
 * One message of a batch.
 *
 * @param payload what was said
 * @param attempt the delivery
 */
public record Received<T>(T payload, Attempt attempt) {}

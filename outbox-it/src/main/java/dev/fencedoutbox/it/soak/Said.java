package dev.fencedoutbox.it.soak;

import org.jspecify.annotations.Nullable;

/**
 * A message whose transaction was committed, as its producer remembers it.
 *
 * @param orderingKey null if it has none
 * @param position among the messages of its key, in the order of their commits; 0 without a key
 */
record Said(String eventId, @Nullable String orderingKey, long position) {}

/**
 * What a relay does, as meters of Micrometer, an optional dependency; docs/metrics.md has their
 * names.
 *
 * <p>{@link dev.fencedoutbox.micrometer.RelayMetrics} shows what a relay counts, {@link
 * dev.fencedoutbox.micrometer.HandlingMetrics} measures its handlers, {@link
 * dev.fencedoutbox.micrometer.ChannelMetrics} shows where a channel stands in the database.
 */
@NullMarked
package dev.fencedoutbox.micrometer;

import org.jspecify.annotations.NullMarked;

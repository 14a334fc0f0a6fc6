/**
 * Traces that go on where a message is delivered, through OpenTelemetry's API, an optional
 * dependency; docs/metrics.md has what a span says.
 *
 * <p>{@link dev.fencedoutbox.opentelemetry.TraceContext} lets a message carry the context of its
 * enqueue, {@link dev.fencedoutbox.opentelemetry.Tracing} opens a span around each call of a
 * handler and links it to that.
 */
@NullMarked
package dev.fencedoutbox.opentelemetry;

import org.jspecify.annotations.NullMarked;

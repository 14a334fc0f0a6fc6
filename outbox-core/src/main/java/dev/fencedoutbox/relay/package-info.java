/**
 * The relay: concurrent delivery that survives its own death.
 *
 * <p>A relay is an engine (package {@code engine}) that claims from a scan floor and along ordering
 * keys ({@code Claimer}), calls handlers by topic ({@code Routes}) and writes deliveries ({@code
 * RecordStatements}).
 */
@NullMarked
package dev.fencedoutbox.relay;

import org.jspecify.annotations.NullMarked;

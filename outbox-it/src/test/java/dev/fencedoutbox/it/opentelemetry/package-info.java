/** What a relay shows as traces. */
@NullMarked
package dev.fencedoutbox.it.opentelemetry;

import org.jspecify.annotations.NullMarked;

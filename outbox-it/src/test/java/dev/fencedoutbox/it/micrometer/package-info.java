/** What a relay shows as meters. */
@NullMarked
package dev.fencedoutbox.it.micrometer;

import org.jspecify.annotations.NullMarked;

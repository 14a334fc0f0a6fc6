/**
 * How the library behaves inside a host: its transactions, settings, listeners, logs, class path.
 */
@NullMarked
package dev.fencedoutbox.it.manners;

import org.jspecify.annotations.NullMarked;

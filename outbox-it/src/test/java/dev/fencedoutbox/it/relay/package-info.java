/** The relay on a real database, step by step and with its threads. */
@NullMarked
package dev.fencedoutbox.it.relay;

import org.jspecify.annotations.NullMarked;

/** The consumer's side: an event is applied once, alone or in a batch. */
@NullMarked
package dev.fencedoutbox.it.inbox;

import org.jspecify.annotations.NullMarked;

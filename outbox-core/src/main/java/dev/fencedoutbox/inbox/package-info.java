/** The consumer's side: events applied once. The statement is in {@code Inbox}. */
@NullMarked
package dev.fencedoutbox.inbox;

import org.jspecify.annotations.NullMarked;

/** What wakes a relay between its polls, and that polling suffices. */
@NullMarked
package dev.fencedoutbox.it.relay.wakeup;

import org.jspecify.annotations.NullMarked;

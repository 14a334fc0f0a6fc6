/**
 * Wake-ups between processes by PostgreSQL's LISTEN and NOTIFY: a {@link
 * dev.fencedoutbox.notify.Notifier} says on which channels something was committed, and {@link
 * dev.fencedoutbox.notify.Notifications} wake relays on it. Nothing depends on them: without, a
 * relay finds the same by polling.
 *
 * <p>Needs {@code org.postgresql:postgresql}, which the host has anyway.
 */
@NullMarked
package dev.fencedoutbox.notify;

import org.jspecify.annotations.NullMarked;

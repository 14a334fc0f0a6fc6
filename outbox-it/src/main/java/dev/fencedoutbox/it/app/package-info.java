/** The host application: its own tables, leased and fenced through its own generated fields. */
@NullMarked
package dev.fencedoutbox.it.app;

import org.jspecify.annotations.NullMarked;

/** Brings the library's own tables into a host's database, beside whatever the host migrates. */
@NullMarked
package dev.fencedoutbox.migration;

import org.jspecify.annotations.NullMarked;

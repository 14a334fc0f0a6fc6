/** Leased tables that are unlike the shop's and the library's. */
@NullMarked
package dev.fencedoutbox.it.tables;

import org.jspecify.annotations.NullMarked;

/**
 * Each guard of each statement by itself: on both of the library's leased tables, without the check
 * constraints that would answer in a guard's place.
 */
@NullMarked
package dev.fencedoutbox.it.guards;

import org.jspecify.annotations.NullMarked;

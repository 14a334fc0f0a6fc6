/** Order per key: the ordered claim, its cost, and what no interleaving may do to it. */
@NullMarked
package dev.fencedoutbox.it.order;

import org.jspecify.annotations.NullMarked;

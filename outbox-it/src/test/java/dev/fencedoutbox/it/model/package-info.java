/** A model of the protocol that is executed beside the product, on real PostgreSQL. */
@NullMarked
package dev.fencedoutbox.it.model;

import org.jspecify.annotations.NullMarked;

/** The schema's own promises, and how it comes into being. */
@NullMarked
package dev.fencedoutbox.it.schema;

import org.jspecify.annotations.NullMarked;

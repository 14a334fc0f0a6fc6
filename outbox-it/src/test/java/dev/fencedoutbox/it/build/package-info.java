/** What the build itself promises. */
@NullMarked
package dev.fencedoutbox.it.build;

import org.jspecify.annotations.NullMarked;

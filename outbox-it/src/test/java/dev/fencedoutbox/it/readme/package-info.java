/** README's samples, compiled and run. */
@NullMarked
package dev.fencedoutbox.it.readme;

import org.jspecify.annotations.NullMarked;

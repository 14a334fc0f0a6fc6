/** The rules of the house, which the compiler cannot hold. */
@NullMarked
package dev.fencedoutbox.house;

import org.jspecify.annotations.NullMarked;

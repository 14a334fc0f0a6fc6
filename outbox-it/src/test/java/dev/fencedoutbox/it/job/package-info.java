/** Jobs: submitted once, worked on by one, finished with what belongs to it, waited for. */
@NullMarked
package dev.fencedoutbox.it.job;

import org.jspecify.annotations.NullMarked;

/**
 * Other processes of this class path, and what production does to them; for the demo and the soak.
 */
@NullMarked
package dev.fencedoutbox.it.process;

import org.jspecify.annotations.NullMarked;

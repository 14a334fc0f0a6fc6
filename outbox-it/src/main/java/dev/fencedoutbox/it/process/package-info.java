/**
 * Other processes of this class path, and what production does to them; for the demo, the soak and
 * tests.
 */
@NullMarked
package dev.fencedoutbox.it.process;

import org.jspecify.annotations.NullMarked;

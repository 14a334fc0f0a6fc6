/** What the product promises about its compilation and its statements' cost, measured. */
@NullMarked
package dev.fencedoutbox.it.proofs;

import org.jspecify.annotations.NullMarked;

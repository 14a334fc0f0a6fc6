/** The test kit that applications get, on the shop's own tables. */
@NullMarked
package dev.fencedoutbox.it.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * What went wrong in products of this kind, each as a test, over every verb and both leased tables.
 */
@NullMarked
package dev.fencedoutbox.it.cases;

import org.jspecify.annotations.NullMarked;

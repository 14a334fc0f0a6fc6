@NullMarked
package dev.fencedoutbox.it.labs;

import org.jspecify.annotations.NullMarked;

/** What goes over HTTP, to real servers on loopback. */
@NullMarked
package dev.fencedoutbox.it.http;

import org.jspecify.annotations.NullMarked;

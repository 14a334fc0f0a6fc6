/**
 * What the library's own packages share: the manners inside a host, the database's clocks, and the
 * checks on text. Not part of the API.
 */
@NullMarked
package dev.fencedoutbox.internal;

import org.jspecify.annotations.NullMarked;

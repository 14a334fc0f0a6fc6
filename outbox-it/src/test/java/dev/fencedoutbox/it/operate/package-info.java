/** What operators do: dead letters, replay, retention, signals. */
@NullMarked
package dev.fencedoutbox.it.operate;

import org.jspecify.annotations.NullMarked;

/** What the suites share: databases, processes, and leases that run out on demand. */
@NullMarked
package dev.fencedoutbox.it.support;

import org.jspecify.annotations.NullMarked;

/**
 * The one piece of code that starts PostgreSQL: for the generation of jOOQ classes during the Maven
 * build, for the tests and for the demo.
 */
@NullMarked
package dev.fencedoutbox.build;

import org.jspecify.annotations.NullMarked;

/**
 * The contract suites on every supported combination of PostgreSQL, jOOQ and Java: {@code mvn -q
 * -Pmatrix verify}. All is generated and compiled once, with the oldest jOOQ; each combination then
 * is a JVM of its own, which finds other binaries of PostgreSQL and another jOOQ on its class path.
 */
@NullMarked
package dev.fencedoutbox.it.matrix;

import org.jspecify.annotations.NullMarked;

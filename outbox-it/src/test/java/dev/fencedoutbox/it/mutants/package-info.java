/**
 * Whether every guard bears load: each predicate of each statement that writes is taken out, one at
 * a time, from the text that goes to the server, and some test of the contract suites must fail.
 *
 * <p>{@code Mutants} is the run; {@code StatementText} finds the predicates in a statement's text;
 * {@code Wire} changes what is sent. See {@code docs/mutants.md}.
 */
@NullMarked
package dev.fencedoutbox.it.mutants;

import org.jspecify.annotations.NullMarked;

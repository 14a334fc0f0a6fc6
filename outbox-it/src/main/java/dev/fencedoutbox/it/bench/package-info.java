/**
 * What the library costs, beside the same statements by hand and beside the table that everybody
 * writes first.
 *
 * <p>{@code Bench} is the command. A {@code Contender} drains a backlog: {@code Limit}, {@code
 * Library} and {@code Textbook} do so from a {@code BenchDatabase} that a {@code Backlog} fills.
 * Each scenario is a file of its own, runs its contenders in turns and gives a {@code Section} of
 * the report.
 */
@NullMarked
package dev.fencedoutbox.it.bench;

import org.jspecify.annotations.NullMarked;

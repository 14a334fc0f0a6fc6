/**
 * What people do about deliveries, and what they look at: DEAD ones are listed, redriven, discarded
 * or skipped out of their ordering key ({@code DeadLetters}); what was delivered is delivered again
 * ({@code Replay}); what is over is removed ({@code Retention}); and where a channel stands is read
 * ({@code Signals}).
 *
 * <p>Every action names an {@code Operator}, and the statement that acts also writes one row for
 * each delivery into the table {@code operator_action}: neither happens without the other.
 *
 * <p>The rules that the statements keep:
 *
 * <ul>
 *   <li>An action writes DEAD rows alone, and says so in the WHERE of the row that is written.
 *   <li>A redrive leaves the epoch as it is, so the next claim's is higher than any before.
 *   <li>A delivery that was skipped out of its key comes back as a new delivery at the key's tail,
 *       under the key's lock; a smaller id would overtake what is in flight.
 *   <li>A delivery id is never used twice: what is delivered again is a new delivery.
 * </ul>
 *
 * <p>The statements are in {@code DeadLetterSql}, {@code ReplaySql}, {@code RetentionSql} and
 * {@code SignalsSql}.
 */
@NullMarked
package dev.fencedoutbox.operate;

import org.jspecify.annotations.NullMarked;

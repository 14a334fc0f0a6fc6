package dev.fencedoutbox.lease;

import org.jooq.RowCountQuery;

/**
 * A write to the application's own tables that commits only if the lease still holds: an {@code
 * INSERT}, {@code UPDATE} or {@code DELETE} that reads from the accepted row, written in the
 * application's own generated classes.
 *
 * <pre>{@code
 * accepted -> insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
 *     .select(select(accepted.key(), val(result, EFFECT.VALUE)).from(accepted.table()))
 *     .onConflict(EFFECT.JOB_ID).doNothing()
 * }</pre>
 *
 * <p>It must read from {@link Accepted#table()}, which has one row if the lease held and none
 * otherwise; a write that never asks for it is refused, and one that writes all the same, such as
 * an aggregate over it, fails in the database with SQLSTATE 22P02, and nothing of it stays. Give
 * every bind in a select list the type of its column, {@code val(x, T.COLUMN)}. It must not have a
 * {@code RETURNING} clause of its own. An {@code UPDATE} or {@code DELETE} of the leased table is
 * refused, since PostgreSQL writes a row once in a statement; use {@link Leases#checkpoint}.
 *
 * <p>Source: article 002, <i>Check ownership where the effect commits</i>.
 *
 * @param <K> the type of the leased table's key
 */
@FunctionalInterface
public interface Effect<K> {

  /** Builds the write; called once per statement, and it should do nothing else. */
  RowCountQuery on(Accepted<K> accepted);
}

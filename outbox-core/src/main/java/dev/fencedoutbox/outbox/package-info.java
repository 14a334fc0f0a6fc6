/**
 * The transactional outbox: what is said in a business transaction is stored with it, and delivered
 * after it.
 *
 * <p>{@code Topic} makes a {@code Message}, {@code Outbox} enqueues it, {@link
 * dev.fencedoutbox.lease.Leases} claims its {@code Delivery} and records what became of it. The
 * enqueue's statement is in {@code OutboxSql}; the others are in {@code
 * dev.fencedoutbox.lease.LeaseStatements}, over the table that {@code Outbox.deliveries} describes.
 */
@NullMarked
package dev.fencedoutbox.outbox;

import org.jspecify.annotations.NullMarked;

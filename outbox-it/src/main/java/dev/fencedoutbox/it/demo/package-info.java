/**
 * The library at work on real input: orders from a file, relays in processes of their own, a
 * receiver over HTTP or Kafka, and the faults of production.
 *
 * <p>{@code Demo} is the command. {@code OrderFile} reads, {@code OrderDesk} writes each order with
 * its message, {@code BillingRelay} delivers in processes of {@code RelayMain}, {@code Billing}
 * applies, {@code Rehearsal} kills and freezes, {@code Reconciliation} says whether it all adds up.
 * A {@code Way} has two ends, a {@code Sender} in each relay and a {@code Receiver} for billing.
 */
@NullMarked
package dev.fencedoutbox.it.demo;

import org.jspecify.annotations.NullMarked;

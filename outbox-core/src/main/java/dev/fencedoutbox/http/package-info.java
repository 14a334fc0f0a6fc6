/**
 * Delivery by HTTP, on the JDK's own client (module {@code java.net.http}).
 *
 * <p>{@link dev.fencedoutbox.http.HttpPublisher} is a handler for a relay: it POSTs each delivery
 * to a receiver and makes of the answer what becomes of the delivery.
 *
 * <ul>
 *   <li>The <b>request</b> says who it is: the event id as {@code Idempotency-Key}, the same on
 *       every attempt; the epoch and the attempt; a signature, if wanted. What it carries is in the
 *       Javadoc of {@code HttpPublisher}.
 *   <li>The <b>answer</b> decides by its status alone. Its body is for people: the beginning is
 *       kept with the reason, the rest is not.
 *   <li>An <b>answer that did not come, or not to its end</b>, is none: the receiver may have taken
 *       the message in or not, so it is sent again, and the receiver knows it by its key.
 *   <li>Every request <b>ends in time</b>: one timeout stands over all of it, shorter than the
 *       relay's leases. An interrupt ends it as well.
 *   <li><b>Secrets</b>, in headers, keys and addresses, are in no reason, no log and no {@code
 *       toString}: reasons name a receiver by its scheme, host and port.
 *   <li>No <b>clock</b> of this machine is asked: a {@code Retry-After} date is held against the
 *       answer's own {@code Date}, and a signature is dated by the database's clock.
 * </ul>
 */
@NullMarked
package dev.fencedoutbox.http;

import org.jspecify.annotations.NullMarked;

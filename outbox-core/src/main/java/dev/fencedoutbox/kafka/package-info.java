/**
 * Delivery to Kafka, through {@code org.apache.kafka:kafka-clients}, an optional dependency;
 * docs/kafka.md says how to use it.
 *
 * <p>{@link dev.fencedoutbox.kafka.KafkaPublisher} is a handler for a relay: it sends what waits
 * and answers for each delivery what the broker said.
 *
 * <ul>
 *   <li><b>Delivered</b> is what all in-sync replicas have acknowledged ({@code acks=all}), and
 *       nothing else.
 *   <li><b>Order.</b> Of each ordering key one record is under way at a time; the next is sent when
 *       that is acknowledged, and none after one that failed. The producer's idempotence does not
 *       make this superfluous: once a batch of records has timed out, the producer goes on with
 *       those after it.
 *   <li><b>Failures</b> are told apart by their exceptions, in {@code Remedy}: those of the record
 *       bury it, those of the producer replace the producer, all others are retried.
 *   <li><b>At least once.</b> A record that was not acknowledged may have arrived, or arrive later.
 *       Its event id stays the same, and the epoch in its headers says which claim it is of: of two
 *       records of one delivery, the one with the lower epoch is the older one.
 * </ul>
 */
@NullMarked
package dev.fencedoutbox.kafka;

import org.jspecify.annotations.NullMarked;

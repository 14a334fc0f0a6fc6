/** The Kafka publisher, against a real broker. */
@NullMarked
package dev.fencedoutbox.it.kafka;

import org.jspecify.annotations.NullMarked;

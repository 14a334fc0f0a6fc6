package dev.fencedoutbox.lease;

import static dev.fencedoutbox.schema.Tables.DELIVERY;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.time.Duration;
import java.time.OffsetDateTime;

/** Leases that no claim made. */
final class Sample {

  static final LeaseTable<Long, Delivery> DELIVERIES = Outbox.create().deliveries(Channel.DEFAULT);

  /** As little as a description can say, of a table whose rows stay under a final status. */
  static final LeaseTable<Long, DeliveryRecord> PLAIN =
      LeaseTable.of(DELIVERY, DELIVERY.ID)
          .epoch(DELIVERY.EPOCH)
          .attempts(DELIVERY.ATTEMPTS)
          .leaseUntil(DELIVERY.LEASE_UNTIL)
          .status(DELIVERY.CHANNEL, "READY", "RUNNING", "DEAD")
          .completedAs("DONE");

  static final Duration MINUTE = Duration.ofMinutes(1);

  private Sample() {}

  static Lease<Long> lease(long key) {
    return lease(DELIVERIES, key, 0);
  }

  static Lease<Long> lease(LeaseTable<Long, ?> table, long key, long sentNanos) {
    return new Lease<>(
        table,
        key,
        new Epoch(3),
        2,
        OffsetDateTime.parse("2026-01-01T00:00:00Z"),
        new Lease.Term(MINUTE, sentNanos));
  }
}

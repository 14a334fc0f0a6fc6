package dev.fencedoutbox.it.model;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.time.OffsetDateTime;
import org.jooq.Field;

/** Which leased table is checked. */
enum Kind {
  /** The library's own deliveries, with messages, receipts and operators. */
  DELIVERIES {
    @Override
    LeaseTable<Long, ?> table() {
      return Outbox.create().deliveries(Channel.DEFAULT);
    }

    @Override
    Field<Long> number() {
      return DELIVERY.ID;
    }

    @Override
    Field<OffsetDateTime> due() {
      return DELIVERY.NEXT_ATTEMPT_AT;
    }

    @Override
    Field<OffsetDateTime> leaseUntil() {
      return DELIVERY.LEASE_UNTIL;
    }
  },

  /** The host's jobs, whose rows stay when they are done. */
  JOBS {
    @Override
    LeaseTable<Long, ?> table() {
      return ShopJobs.JOBS;
    }

    @Override
    Field<Long> number() {
      return JOB.ID;
    }

    @Override
    Field<OffsetDateTime> due() {
      return JOB.RUN_AFTER;
    }

    @Override
    Field<OffsetDateTime> leaseUntil() {
      return JOB.LEASE_UNTIL;
    }
  };

  abstract LeaseTable<Long, ?> table();

  abstract Field<Long> number();

  abstract Field<OffsetDateTime> due();

  abstract Field<OffsetDateTime> leaseUntil();
}

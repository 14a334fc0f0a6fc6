package dev.fencedoutbox.outbox;

import org.jooq.Record;

/**
 * Messages that nobody has claimed: not for applications, but for the package {@code testkit},
 * which reads what was enqueued.
 */
public final class StoredMessages {

  private StoredMessages() {}

  /** The message in a row that has its columns; what it says of a delivery is void. */
  public static Delivery read(Record row) {
    return new Delivery(row);
  }
}

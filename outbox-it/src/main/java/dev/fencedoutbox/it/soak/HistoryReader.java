package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.soak.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Reads what was written down in the database. */
final class HistoryReader {

  private static final String CHANGES =
      "SELECT (extract(epoch FROM c.at) * 1000000)::bigint, c.operation, c.delivery_id, m.event_id,"
          + " c.epoch, c.status, c.attempts,"
          + " (extract(epoch FROM c.lease_until) * 1000000)::bigint, c.owner, c.tx"
          + " FROM soak.lease_change c JOIN outbox.message m ON m.id = c.message_id ORDER BY c.seq";

  private static final String HANDLINGS =
      "SELECT (extract(epoch FROM at) * 1000000)::bigint, what, process, event_id, delivery_id,"
          + " epoch, reclaimed FROM soak.handling ORDER BY seq";

  private static final String STALLS =
      "SELECT process, (extract(epoch FROM since) * 1000000)::bigint,"
          + " (extract(epoch FROM until) * 1000000)::bigint FROM soak.stall";

  private HistoryReader() {}

  static History read(DSLContext dsl, List<Said> said, List<Fault> faults) {
    List<Fault> all = new ArrayList<>(faults);
    all.addAll(dsl.resultQuery(STALLS).fetch(HistoryReader::stall));
    return new History(
        said,
        dsl.resultQuery(CHANGES).fetch(HistoryReader::change),
        dsl.resultQuery(HANDLINGS).fetch(HistoryReader::handling),
        all);
  }

  private static LeaseChange change(Record row) {
    return new LeaseChange(
        row.get(0, long.class),
        LeaseChange.Operation.valueOf(row.get(1, String.class)),
        row.get(2, long.class),
        row.get(3, String.class),
        row.get(4, long.class),
        LeaseChange.Status.valueOf(row.get(5, String.class)),
        row.get(6, int.class),
        row.get(7, Long.class),
        row.get(8, String.class),
        row.get(9, long.class));
  }

  private static Handling handling(Record row) {
    return new Handling(
        row.get(0, long.class),
        Handling.What.valueOf(row.get(1, String.class).toUpperCase(Locale.ROOT)),
        row.get(2, String.class),
        row.get(3, String.class),
        row.get(4, long.class),
        row.get(5, long.class),
        row.get(6, boolean.class));
  }

  private static Fault stall(Record row) {
    return new Fault(
        row.get(0, String.class), Kind.STALL, row.get(1, long.class), row.get(2, long.class));
  }
}

package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.soak.Handling.What;
import dev.fencedoutbox.it.soak.LeaseChange.Operation;
import dev.fencedoutbox.it.soak.LeaseChange.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A history that never happened, told event by event. Times are small numbers. */
final class Story {

  private static final class Row {
    final long id;
    long epoch;
    int attempts;
    @Nullable Long until;
    @Nullable String owner;
    boolean reclaimed;

    Row(long id) {
      this.id = id;
    }
  }

  private final Map<String, Row> rows = new HashMap<>();
  private final Map<String, Long> positions = new HashMap<>();
  private final List<Said> said = new ArrayList<>();
  private final List<LeaseChange> changes = new ArrayList<>();
  private final List<Handling> handlings = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  /** Committed, one after the other, under one key if it is not null. */
  Story said(@Nullable String key, String... events) {
    for (String event : events) {
      said.add(new Said(event, key, key == null ? 0 : positions.merge(key, 1L, Long::sum)));
      enqueued(event);
    }
    return this;
  }

  /** There is a delivery of it, whether it was committed or not. */
  Story enqueued(String event) {
    rows.put(event, new Row(rows.size() + 1));
    return change(0, event, Operation.INSERT, Status.READY, 0);
  }

  /** The next epoch, whoever held it before. */
  Story claimed(long at, String event, String by, long until) {
    Row row = row(event);
    row.reclaimed = row.until != null;
    row.epoch++;
    row.attempts++;
    row.until = until;
    row.owner = by;
    return change(at, event, Operation.UPDATE, Status.INPROGRESS, at);
  }

  Story renewed(long at, String event, long until) {
    row(event).until = until;
    return change(at, event, Operation.UPDATE, Status.INPROGRESS, at);
  }

  Story retried(long at, String event) {
    row(event).until = null;
    return change(at, event, Operation.UPDATE, Status.READY, at);
  }

  Story released(long at, String event) {
    row(event).attempts--;
    return retried(at, event);
  }

  /** In a transaction of its own. */
  Story completed(long at, String event) {
    return change(at, event, Operation.DELETE, Status.INPROGRESS, at);
  }

  /** By whoever holds it, who is told the truth. */
  Story begun(long at, String event) {
    return handling(at, event, What.BEGUN, row(event).epoch);
  }

  Story delivered(long at, String event) {
    return delivered(at, event, row(event).epoch);
  }

  Story failed(long at, String event) {
    return handling(at, event, What.FAILED, row(event).epoch);
  }

  /** By somebody who comes late. */
  Story delivered(long at, String event, long epoch) {
    return handling(at, event, What.DELIVERED, epoch);
  }

  /** The whole way: claimed, begun, delivered and completed within four. */
  Story wentWell(long at, String event, String by) {
    return claimed(at, event, by, at + 100)
        .begun(at + 1, event)
        .delivered(at + 2, event)
        .completed(at + 3, event);
  }

  Story handling(long at, String event, What what, long epoch) {
    return handling(at, event, what, epoch, row(event).reclaimed);
  }

  Story handling(long at, String event, What what, long epoch, boolean reclaimed) {
    Row row = row(event);
    handlings.add(
        new Handling(at, what, String.valueOf(row.owner), event, row.id, epoch, reclaimed));
    return this;
  }

  Story skipEpoch(String event) {
    row(event).epoch++;
    return this;
  }

  /** As if another had been enqueued with the smaller id. */
  Story swapIds(String one, String other) {
    changes.replaceAll(
        change -> {
          String name = change.eventId();
          String swapped = name.equals(one) ? other : name.equals(other) ? one : name;
          return new LeaseChange(
              change.at(),
              change.operation(),
              change.delivery(),
              swapped,
              change.epoch(),
              change.status(),
              change.attempts(),
              change.leaseUntil(),
              change.owner(),
              change.tx());
        });
    Row first = row(one);
    rows.put(one, row(other));
    rows.put(other, first);
    return this;
  }

  Story fault(Fault.Kind kind, String process, long from, long to) {
    faults.add(new Fault(process, kind, from, to));
    return this;
  }

  private Story change(long at, String event, Operation operation, Status status, long tx) {
    Row row = row(event);
    changes.add(
        new LeaseChange(
            at,
            operation,
            row.id,
            event,
            row.epoch,
            status,
            row.attempts,
            row.until,
            row.owner,
            tx));
    return this;
  }

  private Row row(String event) {
    return Objects.requireNonNull(rows.get(event));
  }

  Verdict judged() {
    return Judge.judge(new History(said, changes, handlings, faults));
  }
}

package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.soak.LeaseChange.Operation;
import dev.fencedoutbox.it.soak.LeaseChange.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All claims, put together from the changes of the deliveries' rows. */
final class ClaimLog {

  /** Of one delivery, in the order of the claims. */
  private static final class Row {

    final List<Claim> claims = new ArrayList<>();
    @Nullable LeaseChange taken; // by whom it is held, if it is
    long extended;
    long until;
    long lastEpoch;
    boolean stolen;
    boolean afterExpiry;

    void end(LeaseChange held, Claim.End how, long at, long tx) {
      claims.add(
          new Claim(
              held.delivery(),
              held.eventId(),
              held.epoch(),
              Objects.requireNonNullElse(held.owner(), "nobody"),
              held.at(),
              extended,
              until,
              how,
              at,
              tx,
              stolen,
              afterExpiry));
      taken = null;
    }
  }

  private final Map<Long, Row> rows = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private int renewals;

  private ClaimLog() {}

  /** Of changes in the order in which they were made. */
  static ClaimLog of(List<LeaseChange> changes) {
    ClaimLog log = new ClaimLog();
    changes.forEach(change -> log.add(log.row(change.delivery()), change));
    log.rows.values().forEach(ClaimLog::runOut);
    return log;
  }

  /** The claims of a delivery, in their order. */
  List<Claim> of(long delivery) {
    return row(delivery).claims;
  }

  List<Claim> all() {
    return rows.values().stream().flatMap(row -> row.claims.stream()).toList();
  }

  int renewals() {
    return renewals;
  }

  /** What no claim, renewal or record may do. */
  List<String> broken() {
    return broken;
  }

  private Row row(long delivery) {
    return rows.computeIfAbsent(delivery, key -> new Row());
  }

  private void add(Row row, LeaseChange change) {
    if (change.operation() == Operation.DELETE) {
      end(row, change, Claim.End.COMPLETED);
    } else if (change.status() == Status.INPROGRESS) {
      hold(row, change);
    } else if (change.status() == Status.DEAD) {
      bury(row, change);
    } else if (change.operation() == Operation.UPDATE) {
      boolean givenBack = row.taken != null && change.attempts() < row.taken.attempts();
      end(row, change, givenBack ? Claim.End.RELEASED : Claim.End.RETRIED);
    }
  }

  private void hold(Row row, LeaseChange change) {
    long until = Objects.requireNonNull(change.leaseUntil());
    if (row.taken != null && row.taken.epoch() == change.epoch()) {
      renewals++;
      row.extended = change.at();
      row.until = until;
      return;
    }
    if (change.epoch() != row.lastEpoch + 1) {
      broken.add("%s: epoch %d follows %d".formatted(name(change), change.epoch(), row.lastEpoch));
    }
    boolean afterExpiry = row.taken != null;
    boolean stolen = afterExpiry && change.at() < row.until;
    runOut(row);
    row.afterExpiry = afterExpiry;
    row.stolen = stolen;
    row.taken = change;
    row.extended = change.at();
    row.until = until;
    row.lastEpoch = change.epoch();
  }

  /** By whoever holds it, or by a claim that finds its attempts used up. */
  private static void bury(Row row, LeaseChange change) {
    if (row.taken != null && change.at() <= row.until) {
      row.end(row.taken, Claim.End.BURIED, change.at(), change.tx());
    } else {
      runOut(row);
    }
  }

  private void end(Row row, LeaseChange change, Claim.End how) {
    if (row.taken == null || row.taken.epoch() != change.epoch()) {
      broken.add(
          "%s: %s to %s under epoch %d, which nobody holds"
              .formatted(name(change), change.operation(), change.status(), change.epoch()));
    } else {
      row.end(row.taken, how, change.at(), change.tx());
    }
  }

  private static void runOut(Row row) {
    if (row.taken != null) {
      row.end(row.taken, Claim.End.RAN_OUT, row.until, 0);
    }
  }

  private static String name(LeaseChange change) {
    return "delivery %d of %s".formatted(change.delivery(), change.eventId());
  }
}

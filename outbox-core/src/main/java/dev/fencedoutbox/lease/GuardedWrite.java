package dev.fencedoutbox.lease;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record2;
import org.jooq.Record3;
import org.jooq.ResultQuery;

/**
 * Tells which leases a guarded write accepted, by what it returned, and why it refused the others,
 * by a look at their rows afterwards. The look decides nothing.
 */
final class GuardedWrite {

  private GuardedWrite() {}

  /** One claim of one row. */
  record Claim(Object key, long epoch) {

    static Claim of(Lease<?> lease) {
      return new Claim(lease.key(), lease.epoch().value());
    }
  }

  /**
   * One of the leases.
   *
   * @throws IllegalArgumentException if there is none, if they are leases on different tables, or
   *     if one appears twice
   */
  static <K> Lease<K> requireOneTable(List<Lease<K>> leases) {
    if (leases.isEmpty()) {
      throw new IllegalArgumentException(
          "A write takes one lease or more and was given none. Nothing was sent. Leave it out.");
    }
    Lease<K> first = leases.get(0);
    Set<Lease<K>> seen = new HashSet<>();
    for (Lease<K> lease : leases) {
      if (!lease.table().columns().equals(first.table().columns())) {
        throw new IllegalArgumentException(
            "One call takes leases of one table, and these are of %s and of %s, or of two descriptions of one. Nothing was sent. Make one call for each."
                .formatted(first.table(), lease.table()));
      }
      if (!seen.add(lease)) {
        throw new IllegalArgumentException(
            "The %s appears twice in one call. Nothing was sent. Pass each lease once."
                .formatted(lease));
      }
    }
    return first;
  }

  static <K> List<LeaseOutcome> run(
      DSLContext context, List<Lease<K>> leases, ResultQuery<Record2<K, Long>> statement) {
    return outcomes(context, leases, context.fetch(statement));
  }

  /** By the rows that the statement returned. */
  static <K> List<LeaseOutcome> outcomes(
      DSLContext context, List<Lease<K>> leases, List<Record2<K, Long>> returned) {
    Set<Claim> accepted = new HashSet<>();
    returned.forEach(row -> accepted.add(new Claim(row.value1(), row.value2())));
    Map<Claim, LeaseOutcome> refusals = refusals(context, leases, accepted);
    return leases.stream()
        .map(lease -> refusals.getOrDefault(Claim.of(lease), LeaseOutcome.ACCEPTED))
        .toList();
  }

  /** Why each lease that is not among {@code accepted} was refused. */
  static <K> Map<Claim, LeaseOutcome> refusals(
      DSLContext context, List<Lease<K>> leases, Set<Claim> accepted) {
    List<Lease<K>> refused =
        leases.stream().filter(lease -> !accepted.contains(Claim.of(lease))).toList();
    if (refused.isEmpty()) {
      return Map.of();
    }
    Map<K, Record3<K, Long, Boolean>> rows = new HashMap<>();
    context.fetch(LeaseStatements.standing(refused)).forEach(row -> rows.put(row.value1(), row));
    Map<Claim, LeaseOutcome> reasons = new HashMap<>();
    for (Lease<K> lease : refused) {
      Record3<K, Long, Boolean> row = rows.get(lease.key());
      reasons.put(
          Claim.of(lease),
          row == null ? LeaseOutcome.GONE : reason(lease.epoch(), row.value2(), row.value3()));
    }
    return reasons;
  }

  /** A row with a lower epoch than a lease on it is not the row that was claimed. */
  static LeaseOutcome reason(Epoch mine, long current, boolean inProgress) {
    if (current > mine.value()) {
      return LeaseOutcome.SUPERSEDED;
    }
    if (current < mine.value()) {
      return LeaseOutcome.GONE;
    }
    return inProgress ? LeaseOutcome.EXPIRED : LeaseOutcome.SETTLED;
  }
}

package dev.fencedoutbox.it.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The order of each key, in four sentences. */
final class OrderCheck {

  private record Held(Call call, long from, long to) {}

  private final Evidence evidence;
  private final List<String> violations = new ArrayList<>();

  private OrderCheck(Evidence evidence) {
    this.evidence = evidence;
  }

  static List<String> violations(Evidence evidence) {
    OrderCheck check = new OrderCheck(evidence);
    check.keys().values().forEach(check::check);
    return check.violations;
  }

  private Map<String, List<Said>> keys() {
    return evidence.history().said().stream()
        .filter(said -> said.orderingKey() != null)
        .sorted(Comparator.comparingLong(Said::position))
        .collect(
            Collectors.groupingBy(
                said -> Objects.requireNonNull(said.orderingKey()),
                TreeMap::new,
                Collectors.toList()));
  }

  private void check(List<Said> key) {
    idsGrowWithTheirCommits(key);
    noneBeginsBeforeAllEarlierOnesWereDelivered(key);
    noTwoAreAtWorkUnderValidLeases(key);
    noneIsCompletedBeforeAnEarlierOne(key);
  }

  private void idsGrowWithTheirCommits(List<Said> key) {
    for (int i = 1; i < key.size(); i++) {
      String before = key.get(i - 1).eventId();
      String after = key.get(i).eventId();
      if (evidence.deliveryOf(after) < evidence.deliveryOf(before)) {
        violations.add(
            "%s was enqueued before %s and has the greater delivery id".formatted(before, after));
      }
    }
  }

  /** Late calls too: whoever began one had seen the earlier ones delivered, if only by itself. */
  private void noneBeginsBeforeAllEarlierOnesWereDelivered(List<Said> key) {
    long allDelivered = Long.MIN_VALUE;
    String last = "";
    for (Said said : key) {
      List<Call> calls = evidence.calls().of(said.eventId());
      for (Call call : calls) {
        if (call.begun() < allDelivered) {
          violations.add("%s began before %s had been delivered".formatted(call, last));
        }
      }
      long first =
          calls.stream().filter(Call::delivered).mapToLong(Call::ended).min().orElse(Call.NEVER);
      if (first > allDelivered) {
        allDelivered = first;
        last = said.eventId();
      }
    }
  }

  private void noTwoAreAtWorkUnderValidLeases(List<Said> key) {
    List<Held> atWork =
        key.stream()
            .flatMap(said -> evidence.calls().of(said.eventId()).stream())
            .map(this::held)
            .filter(held -> held.from() < held.to())
            .sorted(Comparator.comparingLong(Held::from))
            .toList();
    @Nullable Held longest = null;
    for (Held held : atWork) {
      if (longest != null && held.from() < longest.to()) {
        violations.add(
            "%s began while %s was at work under a valid lease"
                .formatted(held.call(), longest.call()));
      }
      if (longest == null || held.to() > longest.to()) {
        longest = held;
      }
    }
  }

  /** While it was at work and its lease held. */
  private Held held(Call call) {
    @Nullable Claim claim = evidence.claimOf(call);
    long to = claim == null ? call.ended() : Math.min(call.ended(), claim.heldUntil());
    return new Held(call, call.begun(), to);
  }

  private void noneIsCompletedBeforeAnEarlierOne(List<Said> key) {
    @Nullable Claim latest = null;
    for (Said said : key) {
      for (Claim claim : evidence.claimsOf(said.eventId())) {
        if (claim.end() != Claim.End.COMPLETED) {
          continue;
        }
        if (latest != null
            && claim.endedAt() < latest.endedAt()
            && claim.endTx() != latest.endTx()) {
          violations.add("%s was completed before %s".formatted(claim.eventId(), latest.eventId()));
        }
        if (latest == null || claim.endedAt() > latest.endedAt()) {
          latest = claim;
        }
      }
    }
  }
}

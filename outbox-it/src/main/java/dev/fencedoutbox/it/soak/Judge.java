package dev.fencedoutbox.it.soak;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Says whether a history is one that may happen. Knows nothing of the relay. */
final class Judge {

  private static final String NO_REASON = "no fault of its process explains it";

  private final Evidence evidence;

  private Judge(Evidence evidence) {
    this.evidence = evidence;
  }

  static Verdict judge(History history) {
    return new Judge(new Evidence(history)).verdict();
  }

  private Verdict verdict() {
    DuplicateCheck duplicates = DuplicateCheck.of(evidence);
    Map<String, Integer> byReason = new TreeMap<>(duplicates.explained());
    if (!duplicates.unexplained().isEmpty()) {
      byReason.put("unexplained", duplicates.unexplained().size());
    }
    List<Claim> claims = evidence.claims().all();
    return new Verdict(
        evidence.history().said().size(),
        lost(),
        OrderCheck.violations(evidence),
        byReason,
        duplicates.unexplained(),
        broken(),
        ranOut(claims),
        claims.size(),
        (int) claims.stream().filter(Claim::afterExpiry).count(),
        evidence.claims().renewals(),
        evidence.calls().all().size(),
        (int) evidence.calls().all().stream().filter(this::isLate).count());
  }

  /** Committed, and there is no claim under which it was first delivered and then completed. */
  private List<String> lost() {
    return evidence.history().said().stream()
        .map(Said::eventId)
        .filter(eventId -> !isDone(eventId))
        .toList();
  }

  private boolean isDone(String eventId) {
    List<Call> calls = evidence.calls().of(eventId);
    return evidence.claimsOf(eventId).stream()
        .filter(claim -> claim.end() == Claim.End.COMPLETED)
        .anyMatch(claim -> calls.stream().anyMatch(call -> isDelivered(call, claim)));
  }

  private static boolean isDelivered(Call call, Claim by) {
    return call.delivered() && call.epoch() == by.epoch() && call.ended() <= by.endedAt();
  }

  private List<String> broken() {
    List<String> broken = new ArrayList<>(evidence.claims().broken());
    for (Claim claim : evidence.claims().all()) {
      if (claim.stolen()) {
        broken.add(
            "epoch %d of %s was claimed by %s while the one before it was leased"
                .formatted(claim.epoch(), claim.eventId(), claim.owner()));
      }
    }
    Set<String> said = new HashSet<>();
    evidence.history().said().forEach(one -> said.add(one.eventId()));
    for (Call call : evidence.calls().all()) {
      @Nullable Claim claim = evidence.claimOf(call);
      if (!said.contains(call.eventId())) {
        broken.add("%s was never committed".formatted(call));
      } else if (claim == null || !claim.owner().equals(call.process())) {
        broken.add("%s was handled without a claim".formatted(call));
      } else if (claim.afterExpiry() != call.reclaimed()) {
        broken.add("%s was told reclaimed=%s".formatted(call, call.reclaimed()));
      }
    }
    return broken;
  }

  private Map<String, Integer> ranOut(List<Claim> claims) {
    Map<String, Integer> byReason = new TreeMap<>();
    claims.stream()
        .filter(claim -> claim.end() == Claim.End.RAN_OUT)
        .map(claim -> evidence.whyRanOut(claim).map(Fault.Kind::words).orElse(NO_REASON))
        .forEach(reason -> byReason.merge(reason, 1, Integer::sum));
    return byReason;
  }

  private boolean isLate(Call call) {
    @Nullable Claim claim = evidence.claimOf(call);
    return claim != null && call.begun() >= claim.heldUntil();
  }
}

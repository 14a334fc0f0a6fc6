package dev.fencedoutbox.it.soak;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A history, put in order for those who judge it. */
final class Evidence {

  /** How long a broken connection may stay in a pool before somebody notices. */
  private static final long LINGERING_MICROS = 2_000_000;

  private final History history;
  private final ClaimLog claims;
  private final CallLog calls;
  private final Map<Long, Map<Long, Claim>> claimByEpoch = new HashMap<>();
  private final Map<String, Long> deliveryOf = new HashMap<>();
  private final Map<String, List<Fault>> faults;

  Evidence(History history) {
    this.history = history;
    this.claims = ClaimLog.of(history.changes());
    this.calls = CallLog.of(history.handlings());
    this.faults = history.faults().stream().collect(Collectors.groupingBy(Fault::process));
    for (Claim claim : claims.all()) {
      claimByEpoch
          .computeIfAbsent(claim.delivery(), key -> new HashMap<>())
          .put(claim.epoch(), claim);
    }
    history.changes().forEach(change -> deliveryOf.put(change.eventId(), change.delivery()));
  }

  History history() {
    return history;
  }

  ClaimLog claims() {
    return claims;
  }

  CallLog calls() {
    return calls;
  }

  /** The claim that a handler was called under. */
  @Nullable Claim claimOf(Call call) {
    return claimByEpoch.getOrDefault(call.delivery(), Map.of()).get(call.epoch());
  }

  /** The claims of a message's delivery. */
  List<Claim> claimsOf(String eventId) {
    Long delivery = deliveryOf.get(eventId);
    return delivery == null ? List.of() : claims.of(delivery);
  }

  /** Its delivery's id; 0 if it has none. */
  long deliveryOf(String eventId) {
    return deliveryOf.getOrDefault(eventId, 0L);
  }

  /** What was done to a claim's owner while it held it, so that its lease may have run out. */
  Optional<Fault.Kind> whyRanOut(Claim claim) {
    List<Fault> ofOwner = faults.getOrDefault(claim.owner(), List.of());
    Optional<Fault.Kind> done =
        ofOwner.stream()
            .filter(fault -> fault.kind() != Fault.Kind.STALL && concerns(fault, claim))
            .map(Fault::kind)
            .min(Enum::compareTo);
    return done.isPresent() || !stoodStill(ofOwner, claim) ? done : Optional.of(Fault.Kind.STALL);
  }

  private static boolean concerns(Fault fault, Claim claim) {
    long lingering = fault.kind() == Fault.Kind.TERMINATION ? LINGERING_MICROS : 0;
    return fault.from() <= claim.until() && fault.to() + lingering >= claim.from();
  }

  /** For a quarter, all in all, of the lease that ran out. */
  private static boolean stoodStill(List<Fault> ofOwner, Claim claim) {
    long still =
        ofOwner.stream()
            .filter(fault -> fault.kind() == Fault.Kind.STALL)
            .mapToLong(
                stall ->
                    Math.min(stall.to(), claim.until()) - Math.max(stall.from(), claim.extended()))
            .filter(overlap -> overlap > 0)
            .sum();
    return still * 4 >= claim.until() - claim.extended();
  }
}

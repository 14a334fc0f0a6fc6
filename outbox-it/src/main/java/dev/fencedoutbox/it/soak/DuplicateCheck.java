package dev.fencedoutbox.it.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why each handler was called again for a message that one had been called for before. */
final class DuplicateCheck {

  private static final String RETRY = "its failure was recorded for a retry";
  private static final String HANDED_BACK = "handed back behind one of its key whose lease ran out";

  private final Evidence evidence;
  private final Map<String, Said> said;
  private final Map<String, List<Said>> keys;
  private final Map<String, Integer> explained = new TreeMap<>();
  private final List<String> unexplained = new ArrayList<>();

  private DuplicateCheck(Evidence evidence) {
    this.evidence = evidence;
    this.said =
        evidence.history().said().stream()
            .collect(Collectors.toMap(Said::eventId, Function.identity()));
    this.keys =
        evidence.history().said().stream()
            .filter(one -> one.orderingKey() != null)
            .collect(Collectors.groupingBy(one -> String.valueOf(one.orderingKey())));
  }

  static DuplicateCheck of(Evidence evidence) {
    DuplicateCheck check = new DuplicateCheck(evidence);
    for (String eventId : evidence.calls().eventIds()) {
      List<Call> calls = evidence.calls().of(eventId);
      for (int i = 1; i < calls.size(); i++) {
        check.explain(calls.get(i - 1), calls.get(i));
      }
    }
    return check;
  }

  Map<String, Integer> explained() {
    return explained;
  }

  List<String> unexplained() {
    return unexplained;
  }

  private void explain(Call before, Call again) {
    Optional<String> reason = reason(before, again);
    if (reason.isPresent()) {
      explained.merge(reason.get(), 1, Integer::sum);
    } else {
      @Nullable Claim claim = evidence.claimOf(before);
      unexplained.add(
          "%s followed %s, whose claim ended as %s"
              .formatted(again, before, claim == null ? "none" : claim.end()));
    }
  }

  /** How the claim of the call before ended says whether there had to be another. */
  private Optional<String> reason(Call before, Call again) {
    @Nullable Claim ended = evidence.claimOf(before);
    @Nullable Claim taken = evidence.claimOf(again);
    boolean sameClaim = before.epoch() == again.epoch() && before.delivery() == again.delivery();
    if (ended == null || taken == null || sameClaim || taken.from() < ended.heldUntil()) {
      return Optional.empty();
    }
    return switch (ended.end()) {
      case RAN_OUT -> evidence.whyRanOut(ended).map(Fault.Kind::words);
      case RETRIED -> before.delivered() ? Optional.empty() : Optional.of(RETRY);
      case RELEASED -> wasBehindLost(ended) ? Optional.of(HANDED_BACK) : Optional.empty();
      case COMPLETED, BURIED -> Optional.empty();
    };
  }

  /** Whether its owner had lost an earlier one of the same key meanwhile. */
  private boolean wasBehindLost(Claim released) {
    @Nullable Said mine = said.get(released.eventId());
    if (mine == null || mine.orderingKey() == null) {
      return false;
    }
    return keys.getOrDefault(mine.orderingKey(), List.of()).stream()
        .filter(other -> other.position() < mine.position())
        .flatMap(other -> evidence.claimsOf(other.eventId()).stream())
        .anyMatch(
            claim ->
                claim.end() == Claim.End.RAN_OUT
                    && claim.owner().equals(released.owner())
                    && claim.from() <= released.endedAt()
                    && claim.until() >= released.from());
  }
}

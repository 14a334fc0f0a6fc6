package dev.fencedoutbox.it.model;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes one call of many steps that do the same to different rows, where there is such a call. */
final class Calls {

  /** An enqueue takes so many messages, since each may have an ordering key of its own. */
  private static final int MESSAGES = 500;

  private Calls() {}

  /** As few as there can be. */
  static List<Action> joined(Collection<Action> actions) {
    Map<Object, List<Action>> calls = new LinkedHashMap<>();
    int number = 0;
    for (Action action : actions) {
      calls.computeIfAbsent(call(action, number++), call -> new ArrayList<>()).add(action);
    }
    return calls.values().stream().map(Calls::one).toList();
  }

  private static Object call(Action action, int number) {
    if (action instanceof Write write) {
      return write.verb();
    }
    if (action instanceof Pass pass) {
      return pass.what();
    }
    if (action instanceof Enqueue) {
      return "enqueue " + number / MESSAGES;
    }
    return action instanceof Claim || action instanceof ClaimInOrder ? action.getClass() : number;
  }

  private static Action one(List<Action> all) {
    Action first = all.get(0);
    if (first instanceof Write write) {
      return new Write(write.verb(), list(all, Write.class, Write::leases));
    }
    if (first instanceof Pass pass) {
      return new Pass(pass.what(), Set.copyOf(list(all, Pass.class, Pass::ids)));
    }
    if (first instanceof Enqueue) {
      return new Enqueue(list(all, Enqueue.class, Enqueue::events));
    }
    if (first instanceof Claim claim) {
      Set<Id> among = Set.copyOf(list(all, Claim.class, one -> requireNonNull(one.among())));
      return new Claim(claim.worker(), among, null, claim.limit(), claim.budget());
    }
    if (first instanceof ClaimInOrder claim) {
      Set<String> keys =
          Set.copyOf(list(all, ClaimInOrder.class, one -> requireNonNull(one.keys())));
      return new ClaimInOrder(
          claim.worker(), keys, claim.after(), claim.limit(), claim.runLength(), claim.budget());
    }
    return first;
  }

  private static <A extends Action, T> List<T> list(
      List<Action> all, Class<A> kind, Function<A, Collection<T>> parts) {
    return all.stream()
        .map(kind::cast)
        .flatMap(action -> parts.apply(action).stream())
        .collect(Collectors.toUnmodifiableList());
  }
}

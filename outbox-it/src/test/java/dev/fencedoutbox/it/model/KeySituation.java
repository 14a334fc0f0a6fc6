package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Pass.What;
import dev.fencedoutbox.it.model.Write.Verb;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Where an ordering key with three rows, of which a run takes two, may stand when two transactions
 * overlap on it, and what they may want.
 */
enum KeySituation {
  READY,
  IN_FLIGHT(claim("A")),
  OVER(claim("A"), leasesEnd()),
  WAITING_HEAD(claim("A"), write(Verb.RETRY_LATER, "k1"), write(Verb.RELEASE, "k2")),
  DEAD_HEAD(claim("A"), write(Verb.BURY, "k1"), write(Verb.RELEASE, "k2")),
  SKIPPED(
      claim("A"), write(Verb.BURY, "k1"), write(Verb.RELEASE, "k2"), operate(OperatorVerb.SKIP)),
  HALF_DONE(claim("A"), write(Verb.COMPLETE, "k1"));

  @SuppressWarnings("ImmutableEnumChecker") // records in lists that nobody can change
  private final List<Action> after;

  KeySituation(Action... after) {
    this.after = List.of(after);
  }

  private static Action claim(String worker) {
    return new ClaimInOrder(worker, Set.of("K"), "", Alphabet.MANY, 2, Alphabet.MANY);
  }

  private static Write write(Verb verb, String... events) {
    return new Write(
        verb, List.of(events).stream().map(event -> new Ref(new Id(event, 1), 1)).toList());
  }

  private static Action leasesEnd() {
    return new Pass(What.LEASE, Set.of(new Id("k1", 1), new Id("k2", 1)));
  }

  private static Action operate(OperatorVerb verb) {
    return new Operate(verb, new Id("k1", 1));
  }

  /** How it comes to it. */
  List<Action> steps() {
    List<Action> all = new ArrayList<>();
    for (String event : List.of("k1", "k2", "k3")) {
      all.add(Enqueue.of(event, "K"));
    }
    all.addAll(after);
    return all;
  }

  /** What may overlap. */
  List<Action> wishes() {
    List<Action> all = new ArrayList<>(List.of(claim("B"), Enqueue.of("k4", "K")));
    if (this != READY) {
      all.add(write(Verb.COMPLETE, "k1", "k2"));
      all.add(write(Verb.COMPLETE, "k1"));
      all.add(write(Verb.RENEW, "k1", "k2"));
      all.add(write(Verb.RELEASE, "k1", "k2"));
      all.add(new InOne(List.of(write(Verb.RETRY, "k1"), write(Verb.RELEASE, "k2"))));
      all.add(new InOne(List.of(write(Verb.BURY, "k1"), write(Verb.RELEASE, "k2"))));
      all.add(operate(OperatorVerb.REDRIVE));
      all.add(operate(OperatorVerb.SKIP));
      all.add(operate(OperatorVerb.DISCARD));
      all.add(new Replay("k1"));
    }
    if (this == IN_FLIGHT) {
      all.add(new InOne(List.of(leasesEnd(), claim("C"))));
    }
    return all;
  }
}

package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Pass.What;
import dev.fencedoutbox.it.model.Write.Verb;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where one row may stand when two transactions overlap on it, and what they may want. */
enum Situation {
  READY,
  WAITING(claim("A"), write(Verb.RETRY_LATER, 1)),
  LEASED(claim("A")),
  OVER(claim("A"), leaseEnds()),
  TAKEN_OVER(claim("A"), leaseEnds(), claim("B")),
  HANDED_BACK(claim("A"), write(Verb.RETRY, 1)),
  DEAD(claim("A"), write(Verb.BURY, 1)),
  DONE(claim("A"), write(Verb.COMPLETE, 1));

  private static final List<Verb> VERBS =
      List.of(
          Verb.RENEW,
          Verb.COMPLETE,
          Verb.RETRY,
          Verb.RELEASE,
          Verb.POSTPONE,
          Verb.BURY,
          Verb.HOLD,
          Verb.APPLY,
          Verb.FINISH);

  @SuppressWarnings("ImmutableEnumChecker") // records in lists that nobody can change
  private final List<Action> after;

  Situation(Action... after) {
    this.after = List.of(after);
  }

  private static Id row() {
    return new Id("x", 1);
  }

  private static Action claim(String worker) {
    return new Claim(worker, Set.of(row()), null, Alphabet.MANY, Alphabet.MANY);
  }

  private static Action write(Verb verb, long epoch) {
    return new Write(verb, List.of(new Ref(row(), epoch)));
  }

  private static Action leaseEnds() {
    return new Pass(What.LEASE, Set.of(row()));
  }

  /** How it comes to it. */
  List<Action> steps() {
    List<Action> all = new ArrayList<>(List.of(Enqueue.of("x", "")));
    all.addAll(after);
    return all;
  }

  /** What may overlap. */
  List<Action> wishes(Kind kind) {
    List<Action> all = new ArrayList<>(List.of(claim("C")));
    long epochs = after.stream().filter(Claim.class::isInstance).count();
    for (long epoch = 1; epoch <= epochs; epoch++) {
      long lease = epoch;
      VERBS.forEach(verb -> all.add(write(verb, lease)));
    }
    if (this == LEASED) {
      all.add(new InOne(List.of(leaseEnds(), claim("D"))));
    }
    all.add(new Operate(OperatorVerb.REDRIVE, row()));
    if (kind == Kind.DELIVERIES) {
      all.add(new Operate(OperatorVerb.DISCARD, row()));
      all.add(new Replay("x"));
      all.add(new Purge("x", Duration.ZERO));
      all.add(Enqueue.of("x", ""));
    }
    return all;
  }
}

package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Overlap.Pair;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What may come of two steps that overlap: what they give one after the other, in any order. */
record Serial(World start, Pair pair, Time firstTime, Time secondTime) {

  private static final String SAME = ": so it is";

  /** Where what came of it is like neither; nothing if it is like one. */
  List<String> differences(Answer first, Answer second, Tables seen) {
    World afterOne = start.copy();
    Answer ofOne = pair.one().inModel(afterOne, firstTime);
    World kept = pair.commits() ? afterOne : start;
    List<String> all = new ArrayList<>();
    for (Set<String> passedBy : passedBy(afterOne, ofOne)) {
      World world = kept.copy();
      world.locked.addAll(passedBy);
      Answer ofOther = pair.other().inModel(world, secondTime);
      String order = passedBy.isEmpty() ? "" : ", who passes by " + passedBy;
      all.add(
          "first, then second"
              + order
              + compared(world, seen, List.of(ofOne, ofOther), List.of(first, second)));
    }
    if (pair.commits()) {
      World reversed = start.copy();
      Answer ofOther = pair.other().inModel(reversed, secondTime);
      Answer ofOneThen = pair.one().inModel(reversed, firstTime);
      all.add(
          "second, then first"
              + compared(reversed, seen, List.of(ofOneThen, ofOther), List.of(first, second)));
    }
    return all.stream().anyMatch(one -> one.endsWith(SAME)) ? List.of() : all;
  }

  private static String compared(
      World world, Tables seen, List<Answer> foretold, List<Answer> answers) {
    List<String> all = new ArrayList<>(world.differences(seen));
    for (int i = 0; i < answers.size(); i++) {
      if (!foretold.get(i).equals(answers.get(i))) {
        all.add("the %s would answer %s".formatted(i == 0 ? "first" : "second", foretold.get(i)));
      }
    }
    return all.isEmpty() ? SAME : ": " + all;
  }

  /** What the second need not have seen, if it does not wait: parts of what the first locked. */
  private List<Set<String>> passedBy(World afterOne, Answer ofOne) {
    List<Set<String>> all = new ArrayList<>(List.of(Set.of()));
    if (!pair.other().passesByLockedRows()) {
      return all;
    }
    for (String event : locked(afterOne, ofOne)) {
      for (Set<String> without : List.copyOf(all)) {
        Set<String> with = new HashSet<>(without);
        with.add(event);
        all.add(with);
      }
    }
    return all;
  }

  private Set<String> locked(World afterOne, Answer ofOne) {
    Set<String> locked = new HashSet<>();
    ofOne.written().stream()
        .filter(Answer.Written::accepted)
        .forEach(written -> locked.add(written.lease().id().event()));
    Set<Id> ids = new HashSet<>(start.rows.keySet());
    ids.addAll(afterOne.rows.keySet());
    ids.stream()
        .filter(id -> !Objects.equals(start.rows.get(id), afterOne.rows.get(id)))
        .forEach(id -> locked.add(id.event()));
    start.messages.keySet().stream()
        .filter(event -> !afterOne.messages.containsKey(event))
        .forEach(locked::add);
    return locked;
  }
}

package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Tree.Place;
import dev.fencedoutbox.it.support.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * Goes through many sequences at once, each on rows of its own: the first step of all, then the
 * second of all, and so on. What is done to many rows at a time is one call where there is one for
 * many, in a transaction of its own.
 */
final class InStep {

  private static final Pattern NUMBER = Pattern.compile("-(\\d+)[.,]");

  private final TestDatabase database;
  private final DSLContext dsl;
  private final Alphabet alphabet;

  InStep(TestDatabase database, DSLContext dsl, Alphabet alphabet) {
    this.database = database;
    this.dsl = dsl;
    this.alphabet = alphabet;
  }

  /** How many steps there were, with those in vain. */
  int run(List<List<Place>> sequences) {
    try {
      return together(sequences);
    } catch (Counterexample e) {
      Matcher number = NUMBER.matcher(String.join(" ", e.wrong()));
      if (number.find()) {
        alone(sequences.get(Integer.parseInt(number.group(1))));
      }
      throw e;
    }
  }

  private int together(List<List<Place>> sequences) {
    database.clear();
    Check check = new Check(dsl, alphabet.kind);
    List<List<Place>> named = new ArrayList<>();
    List<Action> first = new ArrayList<>();
    for (int i = 0; i < sequences.size(); i++) {
      String suffix = "-" + i;
      named.add(sequences.get(i).stream().map(place -> place.renamed(e -> e + suffix)).toList());
      first.add(alphabet.first.renamed(e -> e + suffix));
    }
    check.steps(Calls.joined(first));
    int deepest = named.stream().mapToInt(List::size).max().orElse(0);
    int steps = 0;
    for (int i = 0; i < deepest; i++) {
      int depth = i;
      List<Place> places =
          named.stream().filter(all -> depth < all.size()).map(all -> all.get(depth)).toList();
      List<Action> vain = places.stream().flatMap(place -> place.vain().stream()).toList();
      List<Action> next =
          places.stream().flatMap(place -> Stream.ofNullable(place.step())).toList();
      check.steps(Calls.joined(vain));
      check.steps(Calls.joined(next));
      steps += vain.size() + next.size();
    }
    return steps;
  }

  /** The same sequence by itself, so that its failure can be read. */
  private void alone(List<Place> places) {
    database.clear();
    Check check = new Check(dsl, alphabet.kind);
    check.step(alphabet.first);
    for (Place place : places) {
      place.vain().forEach(check::step);
      if (place.step() != null) {
        check.step(place.step());
      }
    }
  }
}

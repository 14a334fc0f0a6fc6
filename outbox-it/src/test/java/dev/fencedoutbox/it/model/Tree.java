package dev.fencedoutbox.it.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All sequences of steps up to a depth, as the model foretells them. Only steps that change
 * something make a sequence longer: at each of its places all the others are tried as well, and
 * since they are seen to change nothing, a sequence with any number of them between its steps is
 * covered by the one without. The exceptions are an operator's steps, replays and purges, which are
 * tried in vain before the fourth change only.
 */
final class Tree {

  /** Steps that take so much time that they are not tried in vain at every depth. */
  private static final int SHALLOW = 3;

  private static final long SECOND = 1_000_000;

  /** What is tried in vain at a place, and the step that is taken from there. */
  record Place(List<Action> vain, @Nullable Action step) {

    Place renamed(UnaryOperator<String> events) {
      return new Place(
          vain.stream().map(action -> action.renamed(events)).toList(),
          step == null ? null : step.renamed(events));
    }
  }

  private final Alphabet alphabet;
  private final int depth;
  private final List<List<Place>> sequences = new ArrayList<>();

  private Tree(Alphabet alphabet, int depth) {
    this.alphabet = alphabet;
    this.depth = depth;
  }

  /** Every sequence of that depth, or that ends before it. */
  static List<List<Place>> sequences(Alphabet alphabet, int depth) {
    Tree tree = new Tree(alphabet, depth);
    World world = new World(alphabet.kind);
    Answer unused = alphabet.first.inModel(world, Time.at(0));
    tree.grow(world, List.of());
    return tree.sequences;
  }

  private void grow(World world, List<Place> before) {
    List<Action> vain = new ArrayList<>();
    List<Action> steps = new ArrayList<>();
    List<World> worlds = new ArrayList<>();
    for (Action action : alphabet.steps(world)) {
      World after = world.copy();
      Answer unused = action.inModel(after, Time.at((before.size() + 1) * SECOND));
      if (!after.isStoredAs(world)) {
        steps.add(action);
        worlds.add(after);
      } else if (before.size() <= SHALLOW || !isOnItsOwn(action)) {
        vain.add(action);
      }
    }
    if (before.size() == depth || steps.isEmpty()) {
      sequences.add(with(before, new Place(vain, null)));
      return;
    }
    for (int i = 0; i < steps.size(); i++) {
      // In vain once is enough for all that begin alike
      grow(
          worlds.get(i),
          with(i == 0 ? before : bare(before), new Place(i == 0 ? vain : List.of(), steps.get(i))));
    }
  }

  private static boolean isOnItsOwn(Action action) {
    return action instanceof Operate || action instanceof Replay || action instanceof Purge;
  }

  private static List<Place> with(List<Place> before, Place place) {
    List<Place> all = new ArrayList<>(before);
    all.add(place);
    return List.copyOf(all);
  }

  private static List<Place> bare(List<Place> places) {
    return places.stream().map(place -> new Place(List.of(), place.step())).toList();
  }
}

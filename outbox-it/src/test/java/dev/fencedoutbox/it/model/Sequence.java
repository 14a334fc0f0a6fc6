package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.support.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of steps, and where it fails a short one that does: steps are dropped as long
 * as it goes on failing.
 *
 * <p>No property library, for these reasons: jqwik is built on version 1 of the JUnit platform, and
 * this build uses version 6; none of them goes through all sequences ({@link Tree}) or lets
 * transactions overlap ({@link Overlap}), so what remains for one is to draw numbers and to drop
 * steps.
 */
final class Sequence {

  private final TestDatabase database;
  private final DSLContext dsl;
  private final Sort sort;
  private int steps;
  private int used;

  Sequence(TestDatabase database, DSLContext dsl, Sort sort) {
    this.database = database;
    this.dsl = dsl;
    this.sort = sort;
  }

  /** Whose steps they are. */
  enum Sort {
    /** Of workers who write under any lease of theirs, whatever its place in a run. */
    DELIVERIES(Kind.DELIVERIES),

    /** Of workers who go through their runs in order, as a relay does. */
    RUNS(Kind.DELIVERIES),

    JOBS(Kind.JOBS);

    private final Kind kind;

    Sort(Kind kind) {
      this.kind = kind;
    }
  }

  /**
   * How many steps there were.
   *
   * @throws Counterexample shortened, if it fails
   */
  int run(long seed, int length) {
    List<Choice> choices = Choice.sequence(seed, length);
    @Nullable Counterexample found = failure(choices);
    if (found != null) {
      throw shortened(choices.subList(0, used), found)
          .repeatedBy("Seed %d; repeat it with -Dmodel.seed=%d".formatted(seed, seed));
    }
    return steps;
  }

  /** What fails, or null. */
  @Nullable Counterexample failure(List<Choice> choices) {
    database.clear();
    Check check = sort == Sort.RUNS ? Check.inOrder(dsl, sort.kind) : new Check(dsl, sort.kind);
    steps = 0;
    used = 0;
    try {
      for (Choice choice : choices) {
        used++;
        Action action = Deed.of(choice, check.world(), sort == Sort.RUNS).orElse(null);
        if (action != null) {
          check.step(action);
          steps++;
        }
      }
      return null;
    } catch (Counterexample e) {
      return e;
    }
  }

  /** Drops what can be dropped, large parts first. */
  private Counterexample shortened(List<Choice> choices, Counterexample found) {
    Counterexample shortest = found;
    List<Choice> left = choices;
    int part = left.size() / 2;
    while (part > 0) {
      int before = left.size();
      for (int from = left.size() - part; from >= 0; from -= part) {
        List<Choice> fewer = new ArrayList<>(left);
        fewer.subList(from, Math.min(from + part, fewer.size())).clear();
        @Nullable Counterexample again = failure(fewer);
        if (again != null) {
          shortest = again;
          left = fewer;
        }
      }
      boolean onceMore = part == 1 && left.size() < before;
      part = onceMore ? 1 : part / 2;
    }
    return shortest;
  }
}

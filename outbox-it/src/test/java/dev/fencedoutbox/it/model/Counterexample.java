package dev.fencedoutbox.it.model;

import java.util.List;

/** Steps after which product and model differ, or an invariant is broken. */
final class Counterexample extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final transient List<String> steps;
  private final transient List<String> wrong;

  Counterexample(List<String> steps, List<String> wrong) {
    this("", steps, wrong);
  }

  private Counterexample(String how, List<String> steps, List<String> wrong) {
    super(
        "%s%nAfter these steps%n  %s%nthis is wrong:%n  %s"
            .formatted(
                how,
                String.join(System.lineSeparator() + "  ", steps),
                String.join(System.lineSeparator() + "  ", wrong)));
    this.steps = List.copyOf(steps);
    this.wrong = List.copyOf(wrong);
  }

  /** The same, with how to get it again. */
  Counterexample repeatedBy(String how) {
    return new Counterexample(how, steps, wrong);
  }

  List<String> steps() {
    return steps;
  }

  List<String> wrong() {
    return wrong;
  }
}

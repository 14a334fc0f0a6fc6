package dev.fencedoutbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was found wrong, each with its situation. */
final class Findings {

  private final List<String> found = new ArrayList<>();
  private final List<Exception> causes = new ArrayList<>();

  void add(String situation, String problem) {
    found.add(situation + ": " + problem);
  }

  /** A late owner's effect must not have taken place. */
  void requireRefused(String situation, Answer late) {
    if (late.applied()) {
      add(situation, "the late owner was told that its effect took place");
    }
  }

  /** Nor may it have left anything behind. */
  void requireSame(String situation, @Nullable Object before, @Nullable Object after) {
    if (!Objects.equals(before, after)) {
      add(
          situation,
          "the late owner changed the state from %s to %s"
              .formatted(oneLine(before), oneLine(after)));
    }
  }

  /** Such as a jOOQ result, which is printed as a box. */
  private static String oneLine(@Nullable Object state) {
    return String.valueOf(state).strip().replaceAll("\\s+", " ");
  }

  /** An owner whose lease holds must get its effect. */
  void requireApplied(String situation, String who, Answer answer) {
    if (!answer.applied()) {
      add(situation, "the effect of %s, whose lease holds, %s".formatted(who, answer));
      if (answer.thrown() != null) {
        causes.add(answer.thrown());
      }
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  void throwIfAny(String headline, String remedy) {
    if (!found.isEmpty()) {
      AssertionError error =
          new AssertionError(
              "%s%n  - %s%n%s"
                  .formatted(headline, String.join("%n  - ".formatted(), found), remedy));
      causes.forEach(error::addSuppressed);
      throw error;
    }
  }
}

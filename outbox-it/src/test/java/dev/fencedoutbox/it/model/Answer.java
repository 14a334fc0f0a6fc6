package dev.fencedoutbox.it.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a call returned, or what the model says that it returns.
 *
 * @param granted leases that were handed out, in their order
 * @param written each lease that was written under, with its outcome
 * @param touched rows that it changed otherwise
 * @param words the rest
 */
record Answer(List<Grant> granted, List<Written> written, List<Id> touched, List<String> words) {

  /** A lease that was handed out. */
  record Grant(Ref lease, int attempts, boolean reclaimed) {}

  /** A write under a lease, and its outcome. */
  record Written(Ref lease, String outcome) {

    boolean accepted() {
      return outcome.equals("ACCEPTED") || outcome.equals("APPLIED");
    }
  }

  static Answer ofWrites(List<Written> written) {
    return new Answer(List.of(), List.copyOf(written), List.of(), List.of());
  }

  static Answer ofTouched(List<Id> touched) {
    return new Answer(List.of(), List.of(), List.copyOf(touched), List.of());
  }

  static Answer ofWord(Object word) {
    return new Answer(List.of(), List.of(), List.of(), List.of(String.valueOf(word)));
  }

  /** These, one after the other. */
  static Answer joined(List<Answer> answers) {
    return new Answer(
        list(answers, Answer::granted),
        list(answers, Answer::written),
        list(answers, Answer::touched),
        list(answers, Answer::words));
  }

  private static <T> List<T> list(List<Answer> answers, Function<Answer, List<T>> part) {
    return answers.stream().flatMap(answer -> part.apply(answer).stream()).toList();
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    granted.forEach(
        g ->
            parts.add(
                g.lease() + " for attempt " + g.attempts() + (g.reclaimed() ? ", reclaimed" : "")));
    written.forEach(w -> parts.add(w.lease() + " " + w.outcome()));
    touched.forEach(id -> parts.add(id.toString()));
    parts.addAll(words);
    return parts.isEmpty() ? "nothing" : String.join("; ", parts);
  }
}

package dev.fencedoutbox.it.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The value in the middle. */
final class Median {

  private Median() {}

  /** Of one or more; of an even number, the mean of the two in the middle. */
  static <T> double of(List<T> measured, ToDoubleFunction<? super T> value) {
    double[] sorted = measured.stream().mapToDouble(value).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}

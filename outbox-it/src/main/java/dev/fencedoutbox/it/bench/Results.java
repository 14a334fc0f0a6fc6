package dev.fencedoutbox.it.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The medians of what was drained in turns, by name. */
record Results(Map<String, List<Drain>> drains) {

  double rate(String name) {
    return median(name, Drain::perSecond);
  }

  double median(String name, ToDoubleFunction<Drain> value) {
    return Median.of(Objects.requireNonNull(drains.get(name), name), value);
  }

  /** How fast one is as a part of another. */
  double ratio(String name, String of) {
    return rate(name) / rate(of);
  }

  /** A rate with the lowest and the highest of its rounds. */
  String rateCell(String name) {
    List<Drain> rounds = Objects.requireNonNull(drains.get(name), name);
    double lowest = rounds.stream().mapToDouble(Drain::perSecond).min().orElseThrow();
    double highest = rounds.stream().mapToDouble(Drain::perSecond).max().orElseThrow();
    return String.format(Locale.ROOT, "%,.0f (%,.0f-%,.0f)", rate(name), lowest, highest);
  }

  static String cell(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}

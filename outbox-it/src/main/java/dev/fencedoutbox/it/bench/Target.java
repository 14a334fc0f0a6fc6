package dev.fencedoutbox.it.bench;

import java.util.Locale;

/**
 * A figure and the bound that it is to keep.
 *
 * @param decimals how exactly it is shown and judged
 */
record Target(String what, double value, Bound bound, double limit, int decimals) {

  static final String MET = "met";
  static final String SHORT = "short";

  /** Which side of the limit is good; a value that is the limit is. */
  enum Bound {
    AT_LEAST(">="),
    AT_MOST("<=");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  static Target atLeast(String what, double value, double limit) {
    return new Target(what, value, Bound.AT_LEAST, limit, 2);
  }

  static Target atMost(String what, double value, double limit, int decimals) {
    return new Target(what, value, Bound.AT_MOST, limit, decimals);
  }

  /** As shown, so that nobody reads 0.80 and "short" in one line. */
  boolean isMet() {
    double scale = Math.pow(10, decimals);
    double shown = Math.round(value * scale) / scale;
    return bound == Bound.AT_LEAST ? shown >= limit : shown <= limit;
  }

  String verdict() {
    return isMet() ? MET : SHORT;
  }

  String shown() {
    return shown(value);
  }

  String aim() {
    return bound.sign + " " + shown(limit);
  }

  private String shown(double number) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number);
  }
}

package dev.fencedoutbox.it.demo;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a relay has done so far; its process prints it as a line.
 *
 * @param claims that brought something
 * @param claimed deliveries, those claimed again included
 * @param delivered recorded as delivered
 * @param failed recorded for a later retry
 * @param refused writes that came too late
 */
record RelayTally(int claims, int claimed, int delivered, int failed, int refused) {

  static final RelayTally NOTHING = new RelayTally(0, 0, 0, 0, 0);

  private static final Pattern LINE =
      Pattern.compile(
          "tally claims=(\\d+) claimed=(\\d+) delivered=(\\d+) failed=(\\d+) refused=(\\d+)");

  /** One claim of so many. */
  static RelayTally claimed(int deliveries) {
    return new RelayTally(1, deliveries, 0, 0, 0);
  }

  static RelayTally recorded(int delivered, int failed, int refused) {
    return new RelayTally(0, 0, delivered, failed, refused);
  }

  RelayTally plus(RelayTally more) {
    return new RelayTally(
        claims + more.claims,
        claimed + more.claimed,
        delivered + more.delivered,
        failed + more.failed,
        refused + more.refused);
  }

  String line() {
    return "tally claims=%d claimed=%d delivered=%d failed=%d refused=%d"
        .formatted(claims, claimed, delivered, failed, refused);
  }

  /** For people. */
  String words() {
    return "claimed %d in %d batches, delivered %d, failed %d, refused %d"
        .formatted(claimed, claims, delivered, failed, refused);
  }

  static Optional<RelayTally> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? Optional.of(of(matcher)) : Optional.empty();
  }

  private static RelayTally of(MatchResult line) {
    return new RelayTally(
        number(line, 1), number(line, 2), number(line, 3), number(line, 4), number(line, 5));
  }

  private static int number(MatchResult line, int group) {
    return Integer.parseInt(line.group(group));
  }
}
